// Operators that read an image at places that other tensors say.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// AffineGrid: theta [N,2,3] or [N,3,4], size (of the image to sample, [N,C,(D,)H,W]), align_corners
/// -> [N,(D,)H,W,2 or 3].
InferredNode affine_grid(const OperatorCall& call);
/// GridSample: x [N,C,in..] with n spatial dimensions, grid [N,out..,n] of a float type -> [N,C,out..]. mode
/// is "linear", "nearest" (of any type) or "cubic"; padding_mode "zeros", "border" or "reflection".
InferredNode grid_sample(const OperatorCall& call);
/// MaxRoiPool: x [N,C,H,W], rois [R,5] -> [R,C,pooled_shape].
InferredNode max_roi_pool(const OperatorCall& call);
/// RoiAlign: x [N,C,H,W], rois [R,4], batch_indices i64 [R] -> [R,C,output_height,output_width].
InferredNode roi_align(const OperatorCall& call);

}  // namespace tensordsl::shapes
