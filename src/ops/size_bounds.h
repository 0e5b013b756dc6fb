// n - n/2 >= 0, and min(n, 5) - min(n, 2) >= 0, for all n >= 0
#pragma once

#include <cstdint>
#include <optional>

#include "ir/nodes/linear_form.h"

namespace tensordsl::ops {

/// Returns a number that the sum is not below where no symbolic dimension is below `dimension`; nothing if
/// none is known that is 0 or more.
std::optional<std::int64_t> least_value(const ir::LinearForm& sum, std::int64_t dimension);

/// True if a sum with this term, an extremum, is the smaller one of the sums with its operands; else it is
/// the larger one.
bool is_least_of_sums(const ir::Term& extremum);

/// Returns an extremum in the sum, with its coefficient, if possible one by which the sum is the smaller one
/// of two; nothing if there is none.
std::optional<ir::Term> extremum_of(const ir::LinearForm& form);

}  // namespace tensordsl::ops
