// Operators that take parts of a tensor.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// Slice: along each of axes from starts to ends in steps, as ONNX clamps them. What cannot be compared with
/// the extent is taken to be inside. Written out: all axes, starts inside, and ends with which the same
/// follows.
InferredNode slice(const OperatorCall& call);
/// Split: parts of the extents split along axis, or num_outputs of as much, the last one less, or as many
/// equal parts as there are outputs. Written out: split.
InferredNode split(const OperatorCall& call);

}  // namespace tensordsl::shapes
