// The clock that limits probes. Tests pass a clock of their own, and so control the time.
#pragma once

#include <functional>

namespace tensordsl::hwprofile {

/// Seconds since any start; it never goes back. Threads may ask one after another.
using Clock = std::function<double()>;

/// Returns the time of the host's clock.
double steady_seconds();

}  // namespace tensordsl::hwprofile
