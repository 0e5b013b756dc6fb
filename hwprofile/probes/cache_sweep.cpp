#include "hwprofile/probes/cache_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "hwprofile/analysis/first_step.h"
#include "hwprofile/analysis/hierarchy.h"

namespace tensordsl::hwprofile {
namespace {

constexpr std::int64_t kBlock = 1024;  // bytes of a block of the chain that finds lines
constexpr double kLeastSweptFootprint = 1024;

/// Footprints of the chain that finds lines: more than the first cache holds, on one device or another.
constexpr std::int64_t kRegions[] = {128 << 10, 1 << 20, 4 << 20};

std::string line_curve(std::int64_t region) { return fmt::format("line in {} KiB", region >> 10); }

/// The shortest one that is clear: where a region fits into the first cache, only a line of the next one
/// shows, or none.
std::optional<Measurement> cache_line_of(const std::vector<Curve>& curves) {
  std::optional<Measurement> shortest;
  for (const std::int64_t region : kRegions) {
    const Curve* curve = find_curve(curves, line_curve(region));
    const auto found = curve ? find_first_beyond(curve->sweep) : std::nullopt;
    if (!found || (shortest && shortest->confident && !found->confident)) continue;
    const bool is_first = !shortest || (found->confident && !shortest->confident);
    if (is_first || found->value < shortest->value) shortest = found;
  }
  return shortest;
}

/// Measures two reads in each block, the second one `distance` after the first: they hit one line if the
/// distance is shorter than it.
Curve measure_line(Bench& bench, ChaseMemory memory, std::int64_t region, std::int64_t unit) {
  std::map<double, Chase> chases;
  const auto latency = [&](double distance) {
    auto it = chases.find(distance);
    if (it == chases.end()) {
      std::vector<std::int64_t> order;
      for (const std::int64_t block : shuffled(region, kBlock)) {
        order.push_back(block);
        order.push_back(block + static_cast<std::int64_t>(distance));
      }
      it = chases.try_emplace(distance, bench, memory, order, region).first;
    }
    return it->second.latency();
  };
  std::vector<double> distances;
  for (std::int64_t distance = unit; distance < kBlock; distance *= 2)
    distances.push_back(static_cast<double>(distance));
  return {line_curve(region), "distance (B)", "latency (ns)", bench.sweep(distances, latency, 9)};
}

}  // namespace

void measure_caches(Bench& bench, ChaseMemory memory, int later, std::vector<Curve>& curves) {
  const auto largest = static_cast<double>(largest_chase(memory, bench.info()));
  if (largest < 8 * kLeastSweptFootprint) return;
  const std::int64_t unit = memory == ChaseMemory::Image ? 16 : 4;
  bench.expect_sweeps(12);  // lines and the first sweep have a twelfth each
  for (const std::int64_t region : kRegions) {
    if (static_cast<double>(region) <= largest) curves.push_back(measure_line(bench, memory, region, unit));
  }
  // A line is read once in a walk.
  const auto line = static_cast<std::int64_t>(cache_line_of(curves).value_or(Measurement::exact(64)).value);
  std::map<double, Chase> chases;
  const auto latency_of = [&](double footprint) {
    auto it = chases.find(footprint);
    if (it == chases.end()) {
      const std::int64_t bytes =
          std::max<std::int64_t>(static_cast<std::int64_t>(footprint) / line, 1) * line;
      it = chases.try_emplace(footprint, bench, memory, shuffled(bytes, line), bytes).first;
    }
    return it->second.latency();
  };
  // A first pass over all footprints, then the rest of the time for the informative ones.
  const Sweep first_look = bench.sweep(footprints_around({}, kLeastSweptFootprint, largest), latency_of, 3);
  const std::vector<double> footprints =
      footprints_around(find_levels(first_look), kLeastSweptFootprint, largest);
  std::erase_if(chases, [&](const auto& entry) {
    return std::find(footprints.begin(), footprints.end(), entry.first) == footprints.end();
  });
  bench.expect_sweeps(2);
  curves.push_back({"latency", "footprint (B)", "latency (ns)", bench.sweep(footprints, latency_of, 25)});
  bench.expect_sweeps(later);
}

FoundCaches find_caches(const std::vector<Curve>& curves) {
  FoundCaches found;
  const Curve* latency = find_curve(curves, "latency");
  if (!latency) return found;
  for (const HierarchyLevel& level : find_levels(latency->sweep)) {
    if (!level.has_end) {
      found.latency_beyond = level.cost;
      continue;
    }
    CacheLevel cache;
    cache.bytes = level.capacity;
    cache.latency_ns = level.cost;
    found.caches.push_back(cache);
  }
  if (!found.caches.empty()) found.caches[0].line_bytes = cache_line_of(curves);
  return found;
}

}  // namespace tensordsl::hwprofile
