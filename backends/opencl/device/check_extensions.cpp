#include "backends/opencl/device/check_extensions.h"

#include <fmt/format.h>

#include <array>

#include "tensordsl/error.h"

namespace tensordsl::opencl {

void check_extensions(const KernelSource& source, const DeviceInfo& device) {
  struct Needed {
    const char* extension;
    const char* type;
    bool is_there;
  };
  const std::array needed{Needed{"cl_khr_fp16", "f16", device.has_fp16},
                          Needed{"cl_khr_fp64", "f64", device.has_fp64}};
  for (const auto& [extension, type, is_there] : needed) {
    const bool enables =
        source.text.find(fmt::format("#pragma OPENCL EXTENSION {} : enable", extension)) != std::string::npos;
    if (!enables || is_there) continue;
    throw DeviceError(
        fmt::format("{}: it computes in {} ({}), which the device {} has not; compile the program for this "
                    "device",
                    source.entry, type, extension, device.name));
  }
}

}  // namespace tensordsl::opencl
