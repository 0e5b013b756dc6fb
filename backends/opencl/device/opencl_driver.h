// The OpenCL devices of this machine as a Driver.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl::opencl {

class OpenClDriver final : public runtime::Driver {
 public:
  std::vector<runtime::FoundDevice> devices(int first_platform) const override;
};

}  // namespace tensordsl::opencl
