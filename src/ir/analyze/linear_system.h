// Combines inequalities: 0 <= x + z - 3 <= 6, 0 <= z - 1 <= 6   ->   2*x + 3*z - 4 in [3, 21]
#pragma once

#include <cstdint>
#include <vector>

#include "ir/nodes/linear_form.h"

namespace tensordsl::ir {

/// sum/divisor, over the atoms that stay.
struct LinearBound {
  LinearForm sum;
  std::int64_t divisor = 1;
};

/// The sum is at least each of `low`, rounded up, and at most each of `high`, rounded down.
struct LinearBounds {
  std::vector<LinearBound> low, high;
};

/// Returns the bounds of `sum` where none of `not_negative` is negative, by Fourier-Motzkin elimination of
/// the atoms `eliminated`. Past a limit some intermediate inequalities are dropped: the bounds that remain
/// hold.
LinearBounds bounds_of(const LinearForm& sum, const std::vector<LinearForm>& not_negative,
                       std::vector<Expr> eliminated);

}  // namespace tensordsl::ir
