// The caches behind buffers: a chain of dependent reads over more and more memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <span>

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// One work-item follows the chain: nothing overlaps, so the time of a step is the latency.
constexpr char kText[] =
    "__kernel void chase(__global const int* restrict chain, __global int* restrict end, const int steps, const int start) {\n"
    "  int at = start;\n"
    "  for (int i = 0; i < steps; i += 8) {\n"
    "    at = chain[at]; at = chain[at]; at = chain[at]; at = chain[at];\n"
    "    at = chain[at]; at = chain[at]; at = chain[at]; at = chain[at];\n"
    "  }\n"
    "  end[0] = at;\n"
    "}\n";

/// All work-items read everything once, so that the caches that they share have what there is room for.
constexpr char kWarmText[] =
    "__kernel void warm(__global const int* restrict chain, __global int* restrict end, const int ints, const int step) {\n"
    "  int sum = 0;\n"
    "  for (int i = get_global_id(0) * 8; i < ints; i += step * 8) sum += chain[i];\n"
    "  if (sum == 12345678) end[0] = sum;\n"
    "}\n";

constexpr std::int64_t kPage = 4096;   // bytes that one entry of a TLB reaches at least
constexpr std::int64_t kBlock = 1024;  // of the chain that finds lines

/// One cycle through `order`, in units of ints.
std::vector<std::int32_t> chain_through(const std::vector<std::int64_t>& order, std::size_t ints) {
  std::vector<std::int32_t> chain(ints, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    chain[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(order[(i + 1) % order.size()]);
  }
  return chain;
}

template <typename T>
void shuffle(std::span<T> values, std::mt19937& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random() % i]);
}

/// 0, stride, 2 * stride, ... in an order that no prefetcher guesses; always the same one. All multiples in a page come one after the
/// other, so that translations of addresses cost next to nothing.
std::vector<std::int64_t> shuffled(std::int64_t count, std::int64_t stride) {
  std::mt19937 random(1);
  const std::int64_t of_page = std::max<std::int64_t>(kPage / 4 / stride, 1);
  std::vector<std::int64_t> pages(static_cast<std::size_t>((count + of_page - 1) / of_page));
  std::iota(pages.begin(), pages.end(), 0);
  shuffle(std::span(pages), random);
  std::vector<std::int64_t> order;
  for (const std::int64_t page : pages) {
    const std::size_t first = order.size();
    for (std::int64_t i = page * of_page; i < std::min((page + 1) * of_page, count); ++i) order.push_back(i * stride);
    shuffle(std::span(order).subspan(first), random);
  }
  return order;
}

class Chase {
 public:
  Chase(Bench& bench, const std::vector<std::int32_t>& chain)
      : bench_(bench), ints_(static_cast<std::int32_t>(chain.size())), end_(bench.device().allocate(64)) {
    chain_ = bench.device().allocate(chain.size() * sizeof(std::int32_t));
    bench.device().write(*chain_, std::as_bytes(std::span(chain)));
  }

  /// Nanoseconds of a step when what caches hold of the chain is there. The chain has `nodes`, and one at every multiple of `stride` ints.
  double latency(std::int64_t nodes, std::int64_t stride) {
    // A chain that is not too long fills the caches by the walk itself; the difference of a long and a short walk is what counts.
    constexpr std::int64_t kWhole = 1 << 16;
    constexpr double kLongEnough = 5e-4;
    const bool is_walked = nodes <= kWhole;
    const std::int64_t few = is_walked ? (nodes + 7) / 8 * 8 : 1024;
    if (!is_walked) warm();
    const auto start = static_cast<std::int32_t>(static_cast<std::int64_t>(random_()) % (ints_ / stride) * stride);
    const double short_walk = seconds(few, start);
    double long_walk = seconds(few + measured_, start);
    for (; is_walked && long_walk - short_walk < kLongEnough && measured_ < (1 << 22); measured_ *= 4) {
      long_walk = seconds(few + 4 * measured_, start);
    }
    return std::max(long_walk - short_walk, 1e-9) / static_cast<double>(measured_) * 1e9;
  }

 private:
  double seconds(std::int64_t steps, std::int32_t start) {
    Launch launch;
    launch.kernel = bench_.kernel("chase", kText, {1, 1, 1}, {"chain", "end"}, {"steps", "start"});
    launch.arguments = {chain_, end_, static_cast<std::int32_t>(steps), start};
    return bench_.seconds_of(launch);
  }

  void warm() {
    constexpr std::int32_t kItems = 64;
    const std::int64_t groups = std::int64_t{bench_.info().compute_units} * 4;
    Launch launch;
    launch.kernel = bench_.kernel("warm", kWarmText, {kItems, 1, 1}, {"chain", "end"}, {"ints", "step"});
    launch.arguments = {chain_, end_, ints_, static_cast<std::int32_t>(groups * kItems)};
    launch.groups = {groups, 1, 1};
    bench_.device().record({launch})->replay();
  }

  Bench& bench_;
  std::int32_t ints_;
  std::shared_ptr<DeviceBuffer> chain_, end_;
  std::mt19937 random_{2};
  std::int64_t measured_ = 8192;  // steps by which the long walk is longer
};

/// What the chain that finds lines walks through: more than the first cache has, on one device or another.
constexpr std::int64_t kRegions[] = {128 << 10, 1 << 20, 4 << 20};

std::string line_curve(std::int64_t region) { return fmt::format("line in {} KiB", region >> 10); }

/// The first distance that leaves the line.
std::optional<Figure> line_in(const Sweep& distances) {
  const auto steps = find_levels(distances);
  if (steps.size() < 2) return std::nullopt;
  const auto outside = std::upper_bound(distances.points.begin(), distances.points.end(), steps[0].capacity.value);
  if (outside == distances.points.end()) return std::nullopt;
  return Figure{*outside, *outside, *outside, steps.size() == 2 && steps[0].capacity.confident};
}

/// The shortest one that is clear: where a region fits into the first cache, only a line of the next one shows, or none.
std::optional<Figure> line_of(const std::vector<Curve>& curves) {
  std::optional<Figure> shortest;
  for (const std::int64_t region : kRegions) {
    const Curve* curve = find_curve(curves, line_curve(region));
    const auto found = curve ? line_in(curve->sweep) : std::nullopt;
    if (!found || (shortest && shortest->confident && !found->confident)) continue;
    const bool is_first = !shortest || (found->confident && !shortest->confident);
    if (is_first || found->value < shortest->value) shortest = found;
  }
  return shortest;
}

std::vector<Curve> measure(Bench& bench) {
  // All chains are kept: together seven times the largest.
  const std::int64_t wanted = bench.info().is_cpu ? 64 << 20 : 256 << 20;
  const std::int64_t largest = std::min({wanted, bench.info().max_allocation_bytes, bench.info().global_memory_bytes / 32});
  bench.expect_sweeps(static_cast<int>(std::size(kRegions)) + 3);  // the last one is long: the share of three
  std::vector<Curve> curves;
  // Two reads in each block, the second one `distance` behind the first: of one line as long as that is shorter.
  for (const std::int64_t region : kRegions) {
    const std::int64_t blocks = std::min(largest, region) / kBlock;
    std::map<double, Chase> chases;
    const auto second_read = [&](double distance) {
      auto it = chases.find(distance);
      if (it == chases.end()) {
        std::vector<std::int64_t> order;
        for (const std::int64_t block : shuffled(blocks, kBlock / 4)) {
          order.push_back(block);
          order.push_back(block + static_cast<std::int64_t>(distance) / 4);
        }
        it = chases.emplace(distance, Chase(bench, chain_through(order, static_cast<std::size_t>(blocks * kBlock / 4)))).first;
      }
      return it->second.latency(2 * blocks, kBlock / 4);
    };
    curves.push_back({line_curve(region), "distance (B)", "latency (ns)", bench.sweep({4, 8, 16, 32, 64, 128, 256, 512}, second_read, 9)});
  }
  // A line is read once in a walk.
  const auto node = static_cast<std::int64_t>(line_of(curves).value_or(Figure::exact(64)).value);
  bench.expect_sweeps(1);
  std::map<double, Chase> chases;
  std::vector<double> footprints;
  for (double bytes = 1024; bytes <= static_cast<double>(largest); bytes *= std::pow(2.0, 0.25)) {
    footprints.push_back(std::floor(bytes / static_cast<double>(node)) * static_cast<double>(node));
  }
  const auto latency_of = [&](double footprint) {
    const auto nodes = static_cast<std::int64_t>(footprint) / node;
    auto it = chases.find(footprint);
    if (it == chases.end()) {
      it = chases.emplace(footprint, Chase(bench, chain_through(shuffled(nodes, node / 4), static_cast<std::size_t>(nodes * node / 4)))).first;
    }
    return it->second.latency(nodes, node / 4);
  };
  curves.push_back({"latency", "footprint (B)", "latency (ns)", bench.sweep(footprints, latency_of, 9)});
  return curves;
}

void analyse(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile, std::vector<Mark>& marks) {
  const Curve* latency = find_curve(curves, "latency");
  if (!latency) return;
  const auto levels = find_levels(latency->sweep);
  profile.buffer_caches.clear();
  for (const HierarchyLevel& level : levels) {
    if (!level.has_end) {
      profile.dram_latency_ns = level.cost;
      continue;
    }
    CacheLevel cache;
    cache.bytes = level.capacity;
    cache.latency_ns = level.cost;
    profile.buffer_caches.push_back(cache);
    marks.push_back({"latency", level.capacity.value, "end of a cache"});
  }
  if (profile.buffer_caches.empty()) return;
  profile.buffer_caches[0].line_bytes = line_of(curves);
}

}  // namespace

Probe buffer_cache_probe() { return {"buffer_cache", "caches behind buffers: sizes, latencies, length of a line", measure, analyse}; }

}  // namespace tensordsl::hwprofile
