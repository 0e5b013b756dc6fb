// Operators that slide a window over the spatial dimensions (all but the first two, N and C).
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl {

/// One entry per spatial dimension; pads has the begins, then the ends. This is what conv and pool write out.
struct Window {
  std::vector<std::int64_t> kernel, strides, dilations, pads;

  /// The window that complete attributes describe.
  static Window of(const Attributes& attributes);
  std::size_t rank() const { return kernel.size(); }
};

namespace shapes {

/// Convolution: x [N,Ci,..], w [Co,Ci/group,k..], bias [Co] or absent -> [N,Co,..]; any float type.
/// Per dimension out = floor((in + pads - ((k-1)*dilation+1)) / stride) + 1.
InferredNode conv(const OperatorCall& call);
/// ConvInteger: x and w of i8 or u8, and their zero points, of w one or [Co] -> i32.
InferredNode conv_integer(const OperatorCall& call);
/// QLinearConv: each of x, w and the output with a scale and a zero point, and a bias of i32.
InferredNode qlinear_conv(const OperatorCall& call);
/// ConvTranspose: x [N,Ci,..], w [Ci,Co/group,k..], bias [Co] or absent -> [N,Co,..]; any float type.
/// Per dimension out = (in - 1) * stride + output_padding + (k-1)*dilation+1 - pads; output_shape and
/// auto_pad become output_padding and pads.
InferredNode conv_transpose(const OperatorCall& call);
/// DeformConv: x, w as Conv's, offset [N,offset_group*k*rank,out..], bias [Co] and mask
/// [N,offset_group*k,out..] or absent, k being the product of the kernel -> as Conv.
InferredNode deform_conv(const OperatorCall& call);
/// MaxPool: [N,C,..] -> [N,C,..]; any float type, i8 or u8. With ceil_mode = 1 the division rounds up, but no
/// window starts past the input and its leading padding (PyTorch's rule, which ONNX adopted). The second
/// output is where the values are, i64 of the same shape.
InferredNode max_pool(const OperatorCall& call);
/// AveragePool, WholeAveragePool: as MaxPool, float types, and count_include_pad.
InferredNode average_pool(const OperatorCall& call);
/// LpPool: as MaxPool, float types, and p.
InferredNode lp_pool(const OperatorCall& call);
/// GlobalAveragePool, GlobalMaxPool: [N,C,..] -> [N,C,1..].
InferredNode global_pool(const OperatorCall& call);
/// GlobalLpPool: the same, and p.
InferredNode global_lp_pool(const OperatorCall& call);
/// MaxUnpool: x and where its elements were i64, both [N,C,..] -> [N,C,..]: what MaxPool had, or output_shape
/// if that is larger.
InferredNode max_unpool(const OperatorCall& call);
/// The spatial extents that a pool had which gave `x`, as far as they can be known.
Sizes unpooled_extents(const Window& window, const Shape& x);

/// Col2Im: [N,C*taps,windows] -> [N,C,image_shape..]; taps are the elements of a block, windows its places.
InferredNode col2im(const OperatorCall& call);

}  // namespace shapes
}  // namespace tensordsl
