// The drivers that tensordsl comes with: who runs the kernels that the backends of
// backends/bundled_backends.h write. They are a layer of their own, so that a program that only compiles
// links no driver.
#include <cstdlib>

#include "backends/drivers/replaying_drivers.h"
#include "backends/llvm/device/host_driver.h"
#include "backends/opencl/device/opencl_driver.h"
#include "runtime/device/driver.h"

namespace tensordsl {
namespace {

/// Device::open() and Device::list() go by their order.
runtime::Drivers bundled_drivers() {
  runtime::Drivers drivers = replaying_drivers();
  drivers.push_back(std::make_shared<opencl::OpenClDriver>());
  drivers.push_back(std::make_shared<host::HostDriver>());
  return drivers;
}

}  // namespace

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
