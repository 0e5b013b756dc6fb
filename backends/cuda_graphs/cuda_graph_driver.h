// The NVIDIA devices of this machine whose launches CUDA can replay, as a Driver.
#pragma once

#include "runtime/device/driver.h"

namespace tensordsl::cuda {

/// Devices that OpenCL lists and CUDA knows by the same PCI address. None without libcuda.
class CudaGraphDriver final : public runtime::Driver {
 public:
  std::vector<runtime::FoundDevice> devices(int first_platform) const override;
};

}  // namespace tensordsl::cuda
