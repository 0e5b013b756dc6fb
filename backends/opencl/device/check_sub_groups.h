// Whether the sub-groups of a kernel have the size that it was generated for.
#pragma once

#include "backends/opencl/device/handle.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::opencl {

/// Throws DeviceError that names both sizes. Kernels without sub-group operations pass.
void check_sub_groups(cl_kernel kernel, cl_device_id device, const KernelSource& source);

}  // namespace tensordsl::opencl
