// Kernels whose lowering is timed: the register tiles that the schedules make, at sizes of real layers.
#pragma once

#include "tensordsl/tensordsl.h"

namespace tensordsl::benchmarks {

/// 3x3 convolution, 56x56, 64 -> 64 channels, bias and ReLU: a tile of 4 pixels x 16 channels.
Func conv3x3();
/// 512x512x512: a tile of 8 x 32.
Func matmul();
/// 3x3 depthwise convolution, 112x112, 64 channels: a tile of 4 pixels x 16 channels.
Func depthwise();
/// Rows of 1000 in three kernels.
Func softmax();

}  // namespace tensordsl::benchmarks
