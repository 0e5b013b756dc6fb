// Finds LLVM, and with it the processor of this machine as a device.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl::host {

class HostDriver final : public Driver {
 public:
  std::vector<FoundDevice> devices(int first_platform) const override;
};

}  // namespace tensordsl::host
