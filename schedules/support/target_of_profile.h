// A Target from a profile.
#pragma once

#include <cstdint>
#include <vector>

#include "tensordsl/hw_profile.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// From what was measured of a device, or is known of it. What the profile does not say is as in Target.
/// `max_group_size`: work-items that the device takes in a group.
Target target_of(const HwProfile& profile, std::int64_t max_group_size = 64);

/// `target`, where a work-group may have at most so many work-items. At least 1.
Target with_group_items(const Target& target, std::int64_t most);

/// Returns the values of the knob `autobroadcast`: what the profile says, and both where it does not.
std::vector<int> autobroadcast_values(const Target& target);

}  // namespace tensordsl::schedules
