#include "hwprofile/analysis/level_bandwidth.h"

#include <algorithm>
#include <limits>

namespace tensordsl::hwprofile {

std::optional<Figure> plateau(const Sweep& bandwidths, double above, double below) {
  constexpr double kFromBelow = 4, kFromAbove = 0.75;
  const auto points = estimates(bandwidths);
  std::vector<double> medians;
  Figure all{0, std::numeric_limits<double>::infinity(), 0, false};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double footprint = bandwidths.points[i];
    if (footprint < kFromBelow * above || footprint > kFromAbove * below) continue;
    medians.push_back(points[i].median);
    all.low = std::min(all.low, points[i].low);
    all.high = std::max(all.high, points[i].high);
  }
  if (medians.empty()) return std::nullopt;
  all.value = estimate(std::move(medians)).median;
  all.confident = all.high - all.low <= 0.2 * all.value;
  return all;
}

void add_bandwidths(std::vector<CacheLevel>& caches, const Sweep& bandwidths) {
  double above = 0;
  for (CacheLevel& cache : caches) {
    if (!cache.bytes) continue;
    cache.bandwidth_gbs = plateau(bandwidths, above, cache.bytes->value);
    above = cache.bytes->value;
  }
}

std::optional<Figure> bandwidth_beyond(const std::vector<CacheLevel>& caches, const Sweep& bandwidths) {
  double above = 0;
  for (const CacheLevel& cache : caches) above = std::max(above, cache.bytes ? cache.bytes->value : 0);
  // A cache of which half a footprint's lines stay gives more than what is behind it.
  constexpr double kFar = 0.75;
  return above > 0 ? plateau(bandwidths, kFar * above, std::numeric_limits<double>::infinity()) : std::nullopt;
}

}  // namespace tensordsl::hwprofile
