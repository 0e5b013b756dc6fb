#include "backends/drivers/bundled_drivers.h"

#include <cstdlib>

#include "backends/drivers/replaying_drivers.h"
#include "backends/llvm/device/host_driver.h"
#include "backends/opencl/device/opencl_driver.h"

namespace tensordsl {

runtime::Drivers bundled_drivers() {
  runtime::Drivers drivers = replaying_drivers();
  drivers.push_back(std::make_shared<opencl::OpenClDriver>());
  drivers.push_back(std::make_shared<host::HostDriver>());
  return drivers;
}

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
