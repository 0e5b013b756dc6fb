// Writes all properties that a device reports as a text, for keys of compiled kernels.
#pragma once

#include <string>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Returns a text of every field: equal for two devices if all of their fields are.
std::string device_key(const DeviceInfo& info);

}  // namespace tensordsl::runtime
