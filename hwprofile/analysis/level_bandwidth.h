// Bandwidth of the levels of a hierarchy, from the bandwidth over the footprint.
#pragma once

#include <optional>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Fills in the bandwidth of each cache whose size is known, and returns the bandwidth of the memory after
/// the last one; nullopt if no footprint is three times as large as that, or there are fewer than four. The
/// time of a byte follows the same laws as the latency of an access (find_levels), which separates the
/// bandwidth of a level from the share that the level before it still holds.
std::optional<Measurement> add_bandwidths(std::vector<CacheLevel>& caches, const Sweep& bandwidths);

}  // namespace tensordsl::hwprofile
