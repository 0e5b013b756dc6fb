// Operators that only move elements.
#pragma once

#include "ops/shapes/shape_rule.h"

namespace tensordsl::shapes {

/// Concat: n inputs of one type that agree in all extents but that of axis.
InferredTensor concat(const OperatorCall& call);
/// Flatten: [..] -> [product of the extents before axis, product of the others].
InferredTensor flatten(const OperatorCall& call);
/// Reshape: shape; 0 keeps the input's extent (unless allowzero), one -1 takes what is left.
InferredTensor reshape(const OperatorCall& call);
/// Squeeze: drops the dimensions axes, each of extent 1; without axes, all of extent 1.
InferredTensor squeeze(const OperatorCall& call);
/// Unsqueeze: inserts dimensions of extent 1 so that they are the axes of the output.
InferredTensor unsqueeze(const OperatorCall& call);
/// Transpose: output dimension i is input dimension perm[i]; without perm, reversed.
InferredTensor transpose(const OperatorCall& call);
/// Pad: pads (the begins, then the ends; negative crops) with the constant value.
InferredTensor pad(const OperatorCall& call);

}  // namespace tensordsl::shapes
