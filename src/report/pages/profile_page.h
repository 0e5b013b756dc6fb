// A profile as a page.
#pragma once

#include "hwprofile/profiling/profile_device.h"
#include "report/page.h"

namespace tensordsl::report {

/// The architecture, the roofline, all figures, and the curve of every probe with the figures that it shows;
/// without results, of a profile that was saved, there are no curves. `facts` are those of the run, such as
/// its date, in addition to the device, its driver and the sources of the profile. `notes` are lines about
/// figures that disagree and about disturbances of the run.
Page profile_page(const hwprofile::DeviceProfile& profile,
                  const std::vector<std::pair<std::string, std::string>>& facts,
                  const std::vector<std::string>& notes = {});

}  // namespace tensordsl::report
