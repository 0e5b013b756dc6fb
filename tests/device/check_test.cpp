#include "backends/opencl/device/check.h"

#include <doctest/doctest.h>

#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::opencl;

TEST_CASE("OpenCL status: an error names the call, the code and the kernel") {
  CHECK_NOTHROW(check(CL_SUCCESS, "clFinish"));
  CHECK_THROWS_WITH_AS(check(CL_INVALID_WORK_GROUP_SIZE, "clEnqueueNDRangeKernel", "conv2d"),
                       "clEnqueueNDRangeKernel failed: CL_INVALID_WORK_GROUP_SIZE (-54), kernel conv2d",
                       DeviceError);
  CHECK_THROWS_WITH_AS(check(CL_OUT_OF_RESOURCES, "clFinish"), "clFinish failed: CL_OUT_OF_RESOURCES (-5)",
                       DeviceError);
}

TEST_CASE("OpenCL status: names agree with the header's numbers") {
  CHECK(status_text(CL_SUCCESS) == "CL_SUCCESS (0)");
  CHECK(status_text(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) == "CL_KERNEL_ARG_INFO_NOT_AVAILABLE (-19)");
  CHECK(status_text(CL_INVALID_BINARY) == "CL_INVALID_BINARY (-42)");
  CHECK(status_text(CL_INVALID_KERNEL_ARGS) == "CL_INVALID_KERNEL_ARGS (-52)");
  CHECK(status_text(CL_INVALID_BUFFER_SIZE) == "CL_INVALID_BUFFER_SIZE (-61)");
  CHECK(status_text(CL_INVALID_DEVICE_PARTITION_COUNT) == "CL_INVALID_DEVICE_PARTITION_COUNT (-68)");
  CHECK(status_text(-1001) == "CL_PLATFORM_NOT_FOUND_KHR (-1001)");
  CHECK(status_text(-12345) == "unknown status (-12345)");
}
