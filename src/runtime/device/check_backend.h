// Checks that a device runs kernels of a backend.
#pragma once

#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Checks that the kernels are for the device's backend. Throws DeviceError that names the first one that is
/// not.
void check_backend(const std::vector<KernelSource>& kernels, const DeviceInfo& device);

}  // namespace tensordsl::runtime
