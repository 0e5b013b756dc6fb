// Finds the device that a user names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Returns the index into `devices` of the one that `spec`, or if that is empty `environment` (the value of
/// TENSORDSL_DEVICE), names; see Device::open. Names match in any case; of several matches the first is
/// taken. Throws DeviceError that lists the devices.
std::size_t select_device(const std::vector<DeviceInfo>& devices, const std::string& spec,
                          const std::string& environment);

}  // namespace tensordsl::runtime
