// Reads OpenCL's properties of one device into a DeviceInfo.
#pragma once

#include <string>

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

std::string platform_version(cl_platform_id platform);

/// Reads everything but the platform and device number. Throws DeviceError if a query fails.
DeviceInfo device_info(cl_platform_id platform, cl_device_id device);

}  // namespace tensordsl::opencl
