// Operators that slide a window over the spatial dimensions (all but the first two, N and C).
#pragma once

#include "ops/shapes/shape_rule.h"

namespace tensordsl {

/// One entry per spatial dimension; pads has the begins, then the ends. This is what conv and pool write out.
struct Window {
  std::vector<std::int64_t> kernel, strides, dilations, pads;

  /// The window that complete attributes describe.
  static Window of(const Attributes& attributes);
  std::size_t rank() const { return kernel.size(); }
};

namespace shapes {

/// Convolution: x [N,Ci,..], w [Co,Ci/group,k..], bias [Co] or absent -> [N,Co,..]; f16 or f32.
/// Per dimension out = floor((in + pads - ((k-1)*dilation+1)) / stride) + 1.
InferredNode conv(const OperatorCall& call);
/// MaxPool: [N,C,..] -> [N,C,..]. With ceil_mode = 1 the division rounds up, but no window starts past the
/// input and its leading padding (PyTorch's rule, which ONNX adopted).
InferredNode max_pool(const OperatorCall& call);
/// AveragePool: as MaxPool, and count_include_pad.
InferredNode average_pool(const OperatorCall& call);
/// GlobalAveragePool, GlobalMaxPool: [N,C,..] -> [N,C,1..].
InferredNode global_pool(const OperatorCall& call);

/// Col2Im: [N,C*taps,windows] -> [N,C,image_shape..]; taps are the elements of a block, windows its places.
InferredNode col2im(const OperatorCall& call);

}  // namespace shapes
}  // namespace tensordsl
