// How a factor of a sum reads operands: itself, or by a Func of the prologue that makes each of its elements,
// such as of four bits and a scale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classify/classify.h"
#include "definitions/stored_group.h"

namespace tensordsl::schedules {

/// The operand that is read; null if a Func of the group is.
const definitions::GroupOperand* operand_of(const definitions::StoredGroup& group,
                                            const classify::Access& access);
/// The Func of the prologue that is read; null if none is.
const Func* maker_of(const definitions::StoredGroup& group, const classify::Access& access);

/// The indices of the operand over the dimensions and axes of the sum; that of a quotient is what it is a
/// quotient of. Nothing if the factor does not read the operand, or by more than that.
std::optional<std::vector<classify::IndexMap>> indices_in(const definitions::StoredGroup& group,
                                                          const classify::Access& factor,
                                                          const Func& operand);

/// Whether the factor is a constant, or is made of constants alone, whose layouts are free.
bool is_of_constants(const definitions::StoredGroup& group, const classify::Access& factor);

/// By what the factors divide an axis of the sum, ascending, each a divisor of the next one and of the steps.
std::vector<std::int64_t> divisors_of_axis(const definitions::StoredGroup& group,
                                           const classify::Contraction& factors, const std::string& axis,
                                           std::int64_t steps);

}  // namespace tensordsl::schedules
