// A profile of a device of which nothing was measured.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// What the driver tells, and what follows from it: of a CPU, that work-items do not run in step; of a GPU
/// whose driver does not say how many do, a guess that is marked as one.
HwProfile derived_profile(const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
