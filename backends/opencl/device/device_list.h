// The OpenCL devices of this machine.
#pragma once

#include <string>
#include <vector>

#include "backends/opencl/device/handle.h"
#include "tensordsl/device.h"

namespace tensordsl::opencl {

struct ListedDevice {
  cl_device_id id = nullptr;
  std::string platform_version;
  DeviceInfo info;
};

/// Lists every device of every platform, in the ICD loader's order. A platform that fails or has no device is
/// skipped; without platforms the list is empty. Threads may call it at once.
std::vector<ListedDevice> list_devices();

}  // namespace tensordsl::opencl
