#include <cstdlib>

#include "backends/drivers/bundled_drivers.h"
#include "tensordsl/device.h"

namespace tensordsl {

std::shared_ptr<Device> Device::open(const std::string& spec) {
  const char* environment = std::getenv("TENSORDSL_DEVICE");
  return runtime::open_device(bundled_drivers(), spec, environment == nullptr ? "" : environment);
}

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> infos;
  for (runtime::FoundDevice& device : runtime::find_devices(bundled_drivers()))
    infos.push_back(std::move(device.info));
  return infos;
}

}  // namespace tensordsl
