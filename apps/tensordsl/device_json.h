// What is known of a device, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tensordsl/device.h"

namespace tensordsl::cli {

nlohmann::ordered_json device_json(const DeviceInfo& device);

}  // namespace tensordsl::cli
