// Operators whose outputs follow from sizes and attributes alone: they have no inputs.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// Shape: i64, one element for each of the attribute sizes.
InferredNode shape(const OperatorCall& call);
/// Size: an i64 scalar, the one element of the attribute sizes.
InferredNode size(const OperatorCall& call);
/// ConstantOfShape: the one element of the attribute value, in a tensor of the attribute shape.
InferredNode constant_of_shape(const OperatorCall& call);
/// Range: count elements of type dtype, from start on, delta apart.
InferredNode range(const OperatorCall& call);
/// EyeLike: a matrix of the attribute shape and of type dtype, 1 on diagonal k and 0 elsewhere.
InferredNode eye_like(const OperatorCall& call);

}  // namespace tensordsl::shapes
