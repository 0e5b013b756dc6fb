// What a kernel asks of a device, against what that has.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// Local memory, images and work-items of a group. Throws ScheduleError.
void check_fits(const KernelSource& kernel, const DeviceInfo& device);

}  // namespace tensordsl
