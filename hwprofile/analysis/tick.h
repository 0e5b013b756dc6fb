// Finds the resolution of a clock from its readings.
#pragma once

#include <optional>
#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Returns the longest time of which all durations, in whole nanoseconds, are multiples; it need not be a
/// whole number itself: a clock of 19.2 MHz ticks every 52.08 ns. Nothing for fewer than three different
/// durations. Confident from twenty on.
std::optional<Measurement> find_tick(const std::vector<double>& nanoseconds);

}  // namespace tensordsl::hwprofile
