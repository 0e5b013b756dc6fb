// A kernel's outline -> the work that its lowered text would have.
#pragma once

#include "predict/device_figures.h"
#include "predict/kernel_outline.h"

namespace tensordsl::predict {

/// Returns the distance in bytes between the addresses of an access in neighboring iterations of a loop.
double bytes_of_step(const NestAccess& access, const NestLoop& loop);

/// Returns the elements that one instruction reads.
int elements_of_read(const NestAccess& access, const NestStage& stage);

/// Counts a kernel's work as count_work does for its text, with the device's warp and line sizes.
KernelWork work_of(const KernelOutline& outline, const DeviceFigures& device);

}  // namespace tensordsl::predict
