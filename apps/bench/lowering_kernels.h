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

// Programs of a given size: twice the size must not take much more than twice the work.

/// One loop over a padded stencil, unrolled into that many statements.
Func unrolled_stencil(int statements);
/// A chain of that many stencils, each computed inside the tiles of the last one, in one kernel.
Func chained_stencils(int stages);
/// The chain of chained_stencils() with a kernel for each stencil.
Func chained_kernels(int stages);
/// A matrix product whose register tile is made of scalars: rows*columns of them.
Func scalar_tile(int rows, int columns);
/// A register tile of 6 rows x 2 vectors of a matrix product, whose reduction is unrolled by `factor`.
Func unrolled_product(int factor);
/// Nested selects with selects inside both sides, `levels` deep, which share the expressions below them.
Func nested_selects(int levels);
/// A chain of `loads` loads, each at the index that the one before gives.
Func chained_gathers(int loads);

}  // namespace tensordsl::benchmarks
