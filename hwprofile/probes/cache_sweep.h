// Probes of the caches of one kind of memory, shared by buffers and images.
#pragma once

#include <vector>

#include "hwprofile/probes/chase.h"
#include "hwprofile/probes/probe.h"

namespace tensordsl::hwprofile {

/// Curves "line in N KiB", latency of pairs of reads over their distance, and "latency", over the footprint.
/// Takes two thirds of the bench's time; the rest is for `later` more sweeps. Nothing if there is no room for
/// a hierarchy to show.
void measure_caches(Bench& bench, ChaseMemory memory, int later, std::vector<Curve>& curves);

/// Levels of a hierarchy and the latency after them, found from curves.
struct FoundCaches {
  std::vector<CacheLevel> caches;
  std::optional<Measurement> latency_beyond;  ///< ns
};
FoundCaches find_caches(const std::vector<Curve>& curves);

}  // namespace tensordsl::hwprofile
