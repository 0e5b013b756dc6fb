#include "runtime/device/check_backend.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::runtime {

void check_backend(const std::vector<KernelSource>& kernels, const DeviceInfo& device) {
  for (const KernelSource& kernel : kernels) {
    if (kernel.backend == device.backend) continue;
    throw DeviceError(
        fmt::format("kernel {} is for the backend \"{}\", but {} runs kernels of \"{}\"; compile the Program "
                    "for this device",
                    kernel.entry, kernel.backend, device.name, device.backend));
  }
}

}  // namespace tensordsl::runtime
