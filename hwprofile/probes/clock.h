// The time by which probes end. Tests hand in a clock of their own, and so decide what time it is.
#pragma once

#include <functional>

namespace tensordsl::hwprofile {

/// Seconds since any start; it never goes back. Threads may ask one after another.
using Clock = std::function<double()>;

/// The host's clock.
double steady_seconds();

}  // namespace tensordsl::hwprofile
