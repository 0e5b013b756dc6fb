#include "predict/device_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tensordsl::predict {
namespace {

/// Reads figures of a profile and notes those that it lacks.
class Reader {
 public:
  explicit Reader(std::vector<std::string>& guessed) : guessed_(guessed) {}

  double value(const std::optional<Measurement>& figure, const char* name, double guess) {
    if (figure && figure->value > 0) return figure->value;
    guessed_.emplace_back(name);
    return guess;
  }

 private:
  std::vector<std::string>& guessed_;
};

/// Memory that compilers of GPUs can count on in front of a shared cache, and how much slower that is than a
/// unit's own. Mobile and desktop GPUs alike have some such.
constexpr double kUnitCacheBytes = 16 << 10, kSharedCacheBytes = 512 << 10;
constexpr double kSlowerShared = 4;

std::vector<MemoryLevel> levels_of(const std::vector<CacheLevel>& caches, const DeviceFigures& device,
                                   double main_gbs) {
  const double clocks = device.clocks_per_us * 1e3;  // per second, in millions: GB/s to bytes per clock
  const double main = main_gbs * 1e6 / clocks;
  std::vector<MemoryLevel> levels;
  double fastest = device.units * (device.runs_in_step ? 64 : 128);
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const CacheLevel& cache = caches[i];
    MemoryLevel level;
    level.name = "cache " + std::to_string(i + 1);
    if (cache.bandwidth_gbs) fastest = cache.bandwidth_gbs->value * 1e6 / clocks;
    level.bytes_per_clock = std::max(fastest, main);
    // If a GPU has a single cache of known size, it is the one that all units share.
    const double bytes = cache.bytes ? cache.bytes->value : 0;
    level.is_shared = i > 0 ? i + 1 == caches.size() : bytes > kLargestUnitCache;
    level.bytes = bytes > 0 ? bytes : level.is_shared ? kSharedCacheBytes : kUnitCacheBytes;
    if (level.is_shared && levels.empty()) {
      levels.push_back({"unit's cache", kUnitCacheBytes, level.bytes_per_clock, false});
      level.bytes_per_clock = std::max(level.bytes_per_clock / kSlowerShared, main);
    }
    levels.push_back(std::move(level));
  }
  if (levels.empty()) levels.push_back({"unit's cache", kUnitCacheBytes, std::max(fastest, main), false});
  if (!levels.back().is_shared && device.runs_in_step)
    levels.push_back({"shared cache", kSharedCacheBytes,
                      std::max(levels.back().bytes_per_clock / kSlowerShared, main), true});
  levels.push_back({"memory", INFINITY, main, true});
  return levels;
}

}  // namespace

double resident_items(const std::vector<OccupancyStep>& occupancy, double registers) {
  const auto step =
      std::ranges::find_if(occupancy, [&](const OccupancyStep& s) { return registers <= s.registers; });
  return step == occupancy.end() ? occupancy.back().items : step->items;
}

DeviceFigures figures_of(const HwProfile& profile) {
  DeviceFigures device;
  Reader read(device.guessed);
  constexpr double kLargestGroup = 4096;  // of any device; no more work-items run in step
  device.warp =
      static_cast<int>(std::clamp(read.value(profile.warp_size, "warp_size", 1), 1.0, kLargestGroup));
  device.runs_in_step = profile.has_many_items();
  device.units = std::max(1.0, read.value(profile.compute_units, "compute_units", 8));
  if (device.runs_in_step) {
    const double alus = read.value(profile.alus_per_unit, "alus_per_unit", 128);
    const double gflops = read.value(profile.fma_gflops.f32, "fma_gflops.f32", 2 * alus * device.units);
    device.clocks_per_us = gflops * 1e3 / (2 * alus * device.units);
    // A work-item that runs alone has instructions for vectors.
    if (device.warp == 1)
      device.vector_lanes =
          std::max(1, static_cast<int>(read.value(profile.vector_width.buffer, "vector_width.buffer", 4)));
    device.issues = alus / device.warp / device.vector_lanes;
    constexpr double kFarFaster = 1.5;
    const auto& repeated = profile.autobroadcast_speedup;
    device.moves_repeated = repeated && repeated->value > kFarFaster;
    // ALUs that compute twice as many halves take them as operands, mixed with f32 ones.
    device.takes_halves = profile.computes_halves_faster();
  } else {
    // A clock has two multiply-adds; the clock rate then follows from the peak.
    device.vector_lanes = static_cast<int>(
        std::clamp(read.value(profile.vector_width.buffer, "vector_width.buffer", 8), 1.0, 16.0));
    constexpr double kMultiplyAdds = 2, kGuessedClock = 2.5;
    const double of_clock = 2 * kMultiplyAdds * device.vector_lanes * device.units;
    const double gflops = read.value(profile.fma_gflops.f32, "fma_gflops.f32", of_clock * kGuessedClock);
    device.clocks_per_us = gflops * 1e3 / of_clock;
    device.issues = 4;
    device.most_groups = 1;
  }
  const double vector_registers = device.vector_lanes == 16 ? 32 : 16;
  device.registers_per_item = read.value(profile.registers.per_item, "registers.per_item",
                                         device.runs_in_step ? 128 : vector_registers * device.vector_lanes);
  // The smallest instruction cache of a GPU that has a profile.
  constexpr double kSmallest = 1024;
  device.most_instructions = device.runs_in_step
                                 ? read.value(profile.instruction_cache, "instruction_cache", kSmallest)
                                 : std::numeric_limits<double>::max();
  device.occupancy = profile.registers.occupancy;
  device.gathers_reads = profile.gathers_reads();
  if (device.occupancy.empty())
    device.registers_per_unit = read.value(profile.registers.pool, "registers.pool", 65536);
  if (device.runs_in_step && profile.concurrent_groups)
    device.most_groups = std::max(1.0, profile.concurrent_groups->value / device.units);
  const double clock_hz = device.clocks_per_us * 1e6;
  // 28 GB/s for 890 GFLOPS of an Adreno 640, 11 for 190 of a Mali-G76, 2,400 for 66,900 of an H100.
  constexpr double kBytesPerFlop = 0.04;
  const double gflops =
      device.clocks_per_us * 2 * device.issues * device.warp * device.vector_lanes * device.units * 1e-3;
  const double memory = read.value(profile.dram_gbs, "dram_gbs",
                                   device.runs_in_step ? kBytesPerFlop * gflops : device.units * 10);
  if (!profile.buffer_caches.empty() && profile.buffer_caches.front().line_bytes)
    device.line_bytes = std::max(4, static_cast<int>(profile.buffer_caches.front().line_bytes->value));
  // The vector that loads fastest is as wide as the path from the cache.
  if (profile.vector_width.buffer) device.delivered_bytes = 4 * profile.vector_width.buffer->value;
  device.buffers = levels_of(profile.buffer_caches, device, memory);
  device.images = levels_of(profile.image_caches.empty() ? profile.buffer_caches : profile.image_caches,
                            device, profile.image_gbs ? profile.image_gbs->value : memory);
  // Off chip it is memory like any other, and the tiles of all work-groups are too many for a first cache.
  const auto& local = profile.local_memory;
  const bool is_off_chip = local.on_chip && !local.on_chip->value && device.buffers.size() > 2;
  const double own_cache = device.buffers[is_off_chip ? 1 : 0].bytes_per_clock / device.units;
  device.local_bytes_per_clock = read.value(local.bandwidth_gbs, "local_memory.bandwidth_gbs",
                                            own_cache * device.units * clock_hz / 1e9) *
                                 1e9 / clock_hz / device.units;
  // On GPUs with local memory on chip, there is more of it than one work-group's share.
  constexpr double kShares = 4;
  device.local_bytes_per_unit = kShares * read.value(local.bytes, "local_memory.bytes", 32 << 10);
  const auto clocks = [&](double nanoseconds) { return nanoseconds * 1e-3 * device.clocks_per_us; };
  // Reads are served from a cache about as often as from memory. For an H100 the wait is 0.17 us.
  constexpr double kGuessedWait = 170;
  device.memory_wait =
      profile.dram_latency_ns ? clocks(profile.dram_latency_ns->value) / 2 : clocks(kGuessedWait);
  if (local.latency_ns) device.local_wait = clocks(local.latency_ns->value);
  if (profile.barrier_ns) device.barrier_wait = clocks(profile.barrier_ns->value);
  device.launch_us = read.value(profile.launch_us, "launch_us", device.runs_in_step ? 5 : 10);
  return device;
}

}  // namespace tensordsl::predict
