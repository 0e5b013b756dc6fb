// Measures how many of something run in parallel: the point at which the time first jumps.
#pragma once

#include <string>

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

/// Measures at 1, 2, 4, ... up to `most` until the time leaps, bisects the interval, and sweeps around the
/// leap, point by point if there are few.
Curve measure_first_step(Bench& bench, const std::string& name, const std::string& x, const Sampler& seconds,
                         double most);

}  // namespace tensordsl::hwprofile
