// Bandwidth of the levels of a hierarchy, from the bandwidth over the footprint.
#pragma once

#include <optional>
#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Of footprints over `above` and up to `below`, the plateau: footprints near either end, which two levels share, do not count. Nothing
/// if there is no such footprint. Confident if it is flat within 20 %.
std::optional<Figure> plateau(const Sweep& bandwidths, double above, double below);

/// Fills in the bandwidth of each cache whose size is known.
void add_bandwidths(std::vector<CacheLevel>& caches, const Sweep& bandwidths);

/// Of what is beyond the last cache; nothing if no footprint is.
std::optional<Figure> bandwidth_beyond(const std::vector<CacheLevel>& caches, const Sweep& bandwidths);

}  // namespace tensordsl::hwprofile
