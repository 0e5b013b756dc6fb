#include "backends/llvm/device/host_driver.h"
#include "tensordsl/error.h"
#include "tensordsl/host.h"

namespace tensordsl {

std::shared_ptr<Device> open_host_device() {
  const std::vector<runtime::FoundDevice> devices = host::HostDriver().devices(0);
  if (devices.empty()) {
    throw DeviceError(
        "open_host_device: LLVM 15 to 19 was not found (on Debian: apt-get install libllvm15); "
        "TENSORDSL_LLVM can name its library");
  }
  return devices[0].open();
}

}  // namespace tensordsl
