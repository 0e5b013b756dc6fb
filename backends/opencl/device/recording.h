// A list of launches on an in-order queue: one by one, or at once where the driver can (command_buffer.h).
#pragma once

#include <memory>
#include <vector>

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// Checks the launches (see check_launch) and sets their arguments, once and for all. `queue` and `context`
/// are the device's. Throws DeviceError.
std::unique_ptr<Recording> record_enqueues(const Context& context, const DeviceInfo& info,
                                           cl_device_id device, const Queue& queue,
                                           std::vector<Launch> launches);

}  // namespace tensordsl::opencl
