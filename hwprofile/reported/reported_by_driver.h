// Figures of a device that its driver reports.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Only what the driver says, to stand beside what was measured; the limits that it sets are exact.
HwProfile reported_by_driver(const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
