#include "hwprofile/analysis/level_bandwidth.h"

#include <algorithm>
#include <cmath>

#include "hwprofile/analysis/hierarchy.h"

namespace tensordsl::hwprofile {
namespace {

/// Returns the bandwidth of the level that a footprint lies in.
Measurement bandwidth_at(double footprint, const std::vector<HierarchyLevel>& levels) {
  const auto level = std::find_if(levels.begin(), levels.end() - 1,
                                  [&](const HierarchyLevel& l) { return footprint <= l.capacity.value; });
  const Measurement& cost = level->cost;
  return {1 / cost.value, 1 / cost.high, 1 / std::max(cost.low, cost.value / 10), cost.confident};
}

}  // namespace

std::optional<Measurement> add_bandwidths(std::vector<CacheLevel>& caches, const Sweep& bandwidths) {
  constexpr std::size_t kLeastPoints = 4;  // fewest points that distinguish levels
  if (bandwidths.points.size() < kLeastPoints) return std::nullopt;
  Sweep times = bandwidths;
  for (auto& round : times.rounds) {
    for (double& sample : round) sample = 1 / sample;
  }
  const auto levels = find_levels(times);
  double above = times.points.front();
  // Levels of similar speed show as one, and it is not known which of them it is.
  const auto is_seen = [&](double capacity) {
    return std::any_of(levels.begin(), levels.end(), [&](const HierarchyLevel& l) {
      return l.has_end && std::max(l.capacity.value, capacity) <= 1.5 * std::min(l.capacity.value, capacity);
    });
  };
  bool is_apart = true;
  for (CacheLevel& cache : caches) {
    if (!cache.bytes) continue;
    // The middle of a level is the furthest from others.
    cache.bandwidth_gbs = bandwidth_at(std::sqrt(above * cache.bytes->value), levels);
    const bool has_end = is_seen(cache.bytes->value);
    if (!is_apart || !has_end) cache.bandwidth_gbs->confident = false;
    is_apart = has_end;
    above = cache.bytes->value;
  }
  constexpr double kFar = 3;
  if (times.points.back() < kFar * above) return std::nullopt;
  return bandwidth_at(times.points.back(), levels);
}

}  // namespace tensordsl::hwprofile
