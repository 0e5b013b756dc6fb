// The sizes of a convolution that is measured.
#pragma once

#include <cstdint>

namespace tensordsl::bench {

/// [inputs, size, size] -> [outputs, size/stride, size/stride], f32, padded by half of the kernel. Each group
/// of outputs reads as many inputs as the others.
struct ConvolutionShape {
  std::int64_t size = 1, inputs = 1, outputs = 1, kernel = 1, stride = 1, groups = 1;

  constexpr std::int64_t out_size() const { return (size + 2 * (kernel / 2) - kernel) / stride + 1; }
  constexpr double flops() const {
    return 2.0 * static_cast<double>(outputs * out_size() * out_size() * (inputs / groups) * kernel * kernel);
  }
};

}  // namespace tensordsl::bench
