// first -> the configurations near it
#pragma once

#include <vector>

#include "schedules/support/point.h"

namespace tensordsl::tune {

/// Returns the default configuration of a space, then those that differ from it in one knob, then in two;
/// `most` in all, those whose values are nearest first.
std::vector<schedules::Point> near_points(const schedules::Space& space, std::size_t most);

}  // namespace tensordsl::tune
