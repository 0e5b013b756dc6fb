// A profile of a device of which nothing was measured.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Returns the figures that the driver reports, and those that follow from them: on a CPU, work-items do not
/// run in lockstep; on a GPU whose driver does not give the warp size, it is a guess that is marked as one.
HwProfile derived_profile(const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
