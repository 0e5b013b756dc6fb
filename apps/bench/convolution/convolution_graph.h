// Builds a padded convolution as a model.
#pragma once

#include "apps/bench/convolution/convolution_shape.h"
#include "onnx/onnx_graph.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// Weights that repeat late.
Buffer convolution_weights(const ConvolutionShape& shape);

enum class BeforeConvolution { Nothing, Relu };

/// y = Conv(x) or Conv(Relu(x)).
onnx::Graph convolution_graph(const ConvolutionShape& shape, const Buffer& weights, BeforeConvolution before);

}  // namespace tensordsl::bench
