// Figures of a device that its driver reports.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Returns only the figures that the driver reports, for comparison with measured ones; the limits that it
/// sets are exact.
HwProfile reported_by_driver(const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
