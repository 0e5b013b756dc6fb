// Writes all that a device says of itself as a text, for keys of what is compiled for it.
#pragma once

#include <string>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Returns a text of every field: equal for two devices if all of their fields are.
std::string device_key(const DeviceInfo& info);

}  // namespace tensordsl::runtime
