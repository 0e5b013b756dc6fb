// Finds the operands that a factor of a sum reads: directly, or through a Func of the prologue that computes
// each of its elements, such as from four bits and a scale.
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

/// Returns the indices of the operand over the dimensions and axes of the sum; for an index e/c, the index e.
/// Nullopt if the factor does not read the operand, or reads it in another way.
std::optional<std::vector<classify::IndexMap>> indices_in(const definitions::StoredGroup& group,
                                                          const classify::Access& factor,
                                                          const Func& operand);

/// True if the factor is a constant, or computed only from constants, whose layouts are free.
bool is_of_constants(const definitions::StoredGroup& group, const classify::Access& factor);

/// Returns the constants by which the factors divide an axis of the sum, ascending; each divides the next one
/// and the number of steps.
std::vector<std::int64_t> divisors_of_axis(const definitions::StoredGroup& group,
                                           const classify::Contraction& factors, const std::string& axis,
                                           std::int64_t steps);

}  // namespace tensordsl::schedules
