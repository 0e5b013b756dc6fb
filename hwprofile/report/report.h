// A profile as a page for people.
#pragma once

#include <string>

#include "hwprofile/probes/profile_device.h"

namespace tensordsl::hwprofile {

/// One page of HTML with drawings in SVG, that needs nothing from elsewhere: the architecture, the roofline,
/// all figures, and the curve of every probe with what was seen in it. The same profile gives the same page.
std::string report_page(const DeviceProfile& profile);

}  // namespace tensordsl::hwprofile
