// alloc t: f32 [262144] private { ... }   ->   refused: 1 MiB in each work-item, where the device has 512 KiB
// Compilers accept such arrays, but the kernels crash or compute wrong results.
// Needs: an outlined kernel with its resources counted.  Gives: arrays that a work-item has room for.
#pragma once

#include "lower/lower.h"
#include "lower/lowered.h"

namespace tensordsl::lower {

/// Checks the private memory of a kernel. Throws ScheduleError, which names the largest array, if it is more
/// than `most`.
void check_private_memory(const LoweredKernel& kernel, const PrivateMemory& most);

}  // namespace tensordsl::lower
