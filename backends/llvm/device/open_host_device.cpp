#include "backends/llvm/device/host_driver.h"
#include "tensordsl/error.h"
#include "tensordsl/host.h"

namespace tensordsl {

std::shared_ptr<Device> open_host_device() {
  const std::vector<runtime::FoundDevice> devices = host::HostDriver().devices(0);
  if (devices.empty()) {
    throw DeviceError(
        "open_host_device: there is no LLVM 15 to 19 (on Debian: apt-get install libllvm15); TENSORDSL_LLVM "
        "may name its "
        "library");
  }
  return devices[0].open();
}

}  // namespace tensordsl
