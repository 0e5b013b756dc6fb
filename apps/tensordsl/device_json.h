// A device as JSON: all that DeviceInfo has.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tensordsl/device.h"

namespace tensordsl::cli {

nlohmann::ordered_json device_json(const DeviceInfo& device);

}  // namespace tensordsl::cli
