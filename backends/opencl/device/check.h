// Converts OpenCL's status codes to DeviceError.
#pragma once

#include <string>
#include <string_view>

#include "backends/opencl/device/handle.h"

namespace tensordsl::opencl {

/// Returns a text such as "CL_OUT_OF_RESOURCES (-5)"; a code that no header names reads "unknown status
/// (-12345)".
std::string status_text(cl_int status);

/// Checks that `status` is CL_SUCCESS. Throws DeviceError otherwise, for example
/// "clEnqueueNDRangeKernel failed: CL_INVALID_WORK_GROUP_SIZE (-54), kernel conv2d".
void check(cl_int status, std::string_view call, std::string_view kernel = {});

}  // namespace tensordsl::opencl
