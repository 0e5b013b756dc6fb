// A Target from a profile.
#pragma once

#include <cstdint>
#include <vector>

#include "tensordsl/hw_profile.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// Returns the target of a device from its profile, measured or documented. Figures that the profile lacks
/// keep the defaults of Target. `max_group_size`: work-items that the device takes in a group.
Target target_of(const HwProfile& profile, std::int64_t max_group_size = 64);

/// Returns `target` with at most `most` work-items in a work-group; at least 1.
Target with_group_items(const Target& target, std::int64_t most);

/// Returns the values of the knob `autobroadcast`: the profile's, or both if it does not know.
std::vector<int> autobroadcast_values(const Target& target);

}  // namespace tensordsl::schedules
