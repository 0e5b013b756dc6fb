// A profile as a page for people.
#pragma once

#include "hwprofile/probes/profile_device.h"
#include "report/page.h"

namespace tensordsl::hwprofile {

/// The architecture, the roofline, all figures, and the curve of every probe with the figures that it shows;
/// without results, of a profile that was saved, there are no curves. `facts` are those of the run, such as
/// its date, beside the device and its driver.
report::Page profile_page(const DeviceProfile& profile,
                          const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace tensordsl::hwprofile
