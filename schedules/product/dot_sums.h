// Sums of products of 8-bit integers, four steps of which are one instruction.
#pragma once

#include "classify/classify.h"
#include "definitions/stored_group.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// True if the GPU has a dot-product instruction for 8-bit integers and both factors are such integers, with
/// four neighbors along the innermost axis readable together. Weights must be constants, whose layout is
/// free.
bool has_dot_sums(const definitions::StoredGroup& group, const classify::Classification& anchor,
                  const Target& target);

}  // namespace tensordsl::schedules
