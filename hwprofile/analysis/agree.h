// Combines the results of two passes over the same device.
#pragma once

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Combines two passes that are minutes or seconds apart, as noise that lasts longer than a probe is in no
/// interval of one pass. A figure is the mean, a count the one of the first pass; the interval covers both
/// intervals, and it is confident if both were and their values are within 10 %. A figure of only one pass is
/// a guess; a yes and a no give nothing. Levels of caches are matched if their sizes are within a factor of
/// 1.5; a level of only one pass is left out. Texts and sizes of sub-groups are taken from `first`.
HwProfile agreed(const HwProfile& first, const HwProfile& second);

}  // namespace tensordsl::hwprofile
