// Checks of scales and zero points, which the rules of quantized operators share.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::ops::shapes {

/// Checks that input `i` is i8 or u8, and that input `zero`, if present, has the same type. Throws ModelError
/// otherwise.
void require_quantized(const OperatorCall& call, std::size_t i, std::size_t zero);
/// Checks that input `i`, if present, is one number. Throws ShapeError otherwise.
void require_parameter(const OperatorCall& call, std::size_t i);
/// ... or one for each output channel of `weights`, its first dimension: as a vector, or with ones after it.
void require_channel_parameter(const OperatorCall& call, std::size_t i, const Shape& weights);
/// ... or one for each element of a tensor of shape `x` along `axis`, as a vector or with 1 in the other of
/// the last two dimensions.
void require_parameter(const OperatorCall& call, std::size_t i, const Shape& x, std::size_t axis);

}  // namespace tensordsl::ops::shapes
