// Operators that only move elements.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// Concat: n inputs of one type that agree in all extents but that of axis.
InferredNode concat(const OperatorCall& call);
/// Flatten: [..] -> [product of the extents before axis, product of the others].
InferredNode flatten(const OperatorCall& call);
/// Reshape: shape; 0 keeps the input's extent (unless allowzero), one -1 takes what is left.
InferredNode reshape(const OperatorCall& call);
/// Squeeze: drops the dimensions axes, each of extent 1; without axes, all of extent 1.
InferredNode squeeze(const OperatorCall& call);
/// Unsqueeze: inserts dimensions of extent 1 so that they are the axes of the output.
InferredNode unsqueeze(const OperatorCall& call);
/// Transpose: output dimension i is input dimension perm[i]; without perm, reversed.
InferredNode transpose(const OperatorCall& call);
/// Expand: [..] -> what it and the attribute shape broadcast to.
InferredNode expand(const OperatorCall& call);
/// Tile: repeats[d] copies behind each other along each dimension.
InferredNode tile(const OperatorCall& call);
/// Pad: pads (the begins, then the ends; negative crops) with the constant value, which may be an input, or
/// by mode with what is inside. Padded is what is left after it is cropped.
InferredNode pad(const OperatorCall& call);

}  // namespace tensordsl::shapes
