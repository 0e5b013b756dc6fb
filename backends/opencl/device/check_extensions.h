// Whether a device has the types that a kernel computes in.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::opencl {

/// Throws DeviceError that names the kernel, the extension that its text enables and the device, which has no
/// such extension.
void check_extensions(const KernelSource& source, const DeviceInfo& device);

}  // namespace tensordsl::opencl
