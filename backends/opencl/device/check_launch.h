// Whether a launch fits the kernel it is for.
#pragma once

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

/// Throws DeviceError that names the kernel, the argument, what it needs and what was given. `context` is the
/// device's: everything must have been made there.
void check_launch(const Launch& launch, cl_context context);

}  // namespace tensordsl::opencl
