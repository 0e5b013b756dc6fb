// Checks that a device runs kernels of a backend.
#pragma once

#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Throws DeviceError that names the first kernel of another backend than the device's.
void check_backend(const std::vector<KernelSource>& kernels, const DeviceInfo& device);

}  // namespace tensordsl::runtime
