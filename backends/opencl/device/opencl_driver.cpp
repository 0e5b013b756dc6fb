#include "backends/opencl/device/opencl_driver.h"

#include <utility>

#include "backends/opencl/device/opencl_device.h"

namespace tensordsl::opencl {

std::vector<runtime::FoundDevice> OpenClDriver::devices(int first_platform) const {
  std::vector<runtime::FoundDevice> found;
  for (ListedDevice& device : list_devices()) {
    device.info.platform_number += first_platform;
    DeviceInfo info = device.info;
    found.push_back({std::move(info), [device = std::move(device)] {
                       return std::make_shared<OpenClDevice>(
                           device, runtime::ProgramCache(runtime::ProgramCache::folder_of_environment()));
                     }});
  }
  return found;
}

}  // namespace tensordsl::opencl
