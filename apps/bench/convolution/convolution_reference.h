// Computes the expected result of a convolution that is measured.
#pragma once

#include "apps/bench/convolution/convolution_shape.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// Compares every pixel of `out` in four channels, so that every channel and the whole border are met, with
/// the definition. `shape`: of stride 1. Throws Error for one that differs.
void check_convolution(const ConvolutionShape& shape, const Buffer& in, const Buffer& weights,
                       const Buffer& out);

}  // namespace tensordsl::bench
