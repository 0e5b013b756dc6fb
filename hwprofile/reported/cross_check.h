// Compares figures that were measured in different ways and have to agree.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Returns one sentence for each check whose figures are all known: ALUs times clock times two against the
/// peak of multiply-adds (Romou, MobiCom 2022, section 5), compute units against those that the driver
/// reports, copies against reads.
std::vector<std::string> cross_checks(const HwProfile& profile, const DeviceInfo& info);

}  // namespace tensordsl::hwprofile
