#include "backends/drivers/bundled_drivers.h"

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

}  // namespace tensordsl
