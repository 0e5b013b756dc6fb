// Checks a kernel's needs against the device's limits.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// Checks the local memory, images and work-items of a group. Throws ScheduleError.
void check_fits(const KernelSource& kernel, const DeviceInfo& device);

}  // namespace tensordsl
