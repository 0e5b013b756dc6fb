// Operators that shift and scale elements by what is computed of a group of them. Any float type.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// BatchNormalization at inference: x [N,C,..], scale, bias, mean, variance [C] -> [N,C,..]; epsilon.
InferredNode batch_normalization(const OperatorCall& call);
/// GroupNormalization: x [N,C,..], scale and bias [num_groups] or [C] -> [N,C,..]; epsilon.
InferredNode group_normalization(const OperatorCall& call);
/// InstanceNormalization: x [N,C,..], scale and bias [C] -> [N,C,..]; epsilon.
InferredNode instance_normalization(const OperatorCall& call);
/// LayerNormalization: x [..], scale and bias broadcast to it -> [..], and mean and 1 / deviation as f32 with
/// 1 from axis on; epsilon.
InferredNode layer_normalization(const OperatorCall& call);
/// LpNormalization: axis, p. [..] -> [..]
InferredNode lp_normalization(const OperatorCall& call);
/// LRN: alpha, beta, bias, size. [N,C,..] -> [N,C,..]
InferredNode lrn(const OperatorCall& call);
/// MeanVarianceNormalization: axes. [..] -> [..]
InferredNode mean_variance_normalization(const OperatorCall& call);
/// RMSNormalization: x [..], scale broadcast to it -> [..] of the scale's type; axis, epsilon.
InferredNode rms_normalization(const OperatorCall& call);

}  // namespace tensordsl::shapes
