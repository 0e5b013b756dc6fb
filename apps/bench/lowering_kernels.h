// Kernels whose lowering is timed: the register tiles that the schedules make, at sizes of real layers.
#pragma once

#include "tensordsl/tensordsl.h"

namespace tensordsl::benchmarks {

/// 3x3 convolution of size x size pixels, channels -> channels, bias and ReLU: a tile of 4 pixels x 16
/// channels.
Func conv3x3(int size = 56, int channels = 64);
/// size x size x size: a tile of 8 x 32.
Func matmul(int size = 512);
/// 3x3 depthwise convolution of size x size pixels: a tile of 4 pixels x 16 channels.
Func depthwise(int size = 112, int channels = 64);
/// Rows in three kernels.
Func softmax(int rows = 64, int columns = 1000);

}  // namespace tensordsl::benchmarks
