// Finds LLVM, and with it the processor of this machine as a device.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl::host {

class HostDriver final : public runtime::Driver {
 public:
  std::vector<runtime::FoundDevice> devices(int first_platform) const override;
};

}  // namespace tensordsl::host
