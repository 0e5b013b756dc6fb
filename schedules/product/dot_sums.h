// Sums of products of 8-bit integers, four steps of which are one instruction.
#pragma once

#include "classify/classify.h"
#include "definitions/stored_group.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// Whether both factors are 8-bit integers of which four neighbors along the innermost axis can be read
/// together, on a GPU that has the instruction. Weights must be constants, whose layout is free.
bool has_dot_sums(const definitions::StoredGroup& group, const classify::Classification& anchor,
                  const Target& target);

}  // namespace tensordsl::schedules
