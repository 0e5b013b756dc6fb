// Combines the results of two passes over the same device.
#pragma once

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Noise that lasts longer than a probe is in no interval of one pass: of two passes, minutes or seconds
/// apart, a figure is the mean, a count the first one's; the interval holds both intervals, and it is
/// confident if both were and their values are within 10 %. What only one pass saw is a guess; yes and no
/// together are nothing. Levels of caches belong together if their sizes are within 1.5 of each other; a
/// level that only one pass saw is left out. Texts and sizes of sub-groups are those of `first`.
HwProfile agreed(const HwProfile& first, const HwProfile& second);

}  // namespace tensordsl::hwprofile
