#include "schedules/support/target_of_profile.h"

#include <algorithm>

#include "schedules/support/unit_rates.h"

namespace tensordsl::schedules {
namespace {

int value_or(const std::optional<Measurement>& figure, int fallback) {
  return figure ? std::max(1, static_cast<int>(figure->value)) : fallback;
}

/// Returns the bandwidth of the fastest cache or, without caches, of the memory; 0 if it was not measured.
double bandwidth_of(const std::vector<CacheLevel>& caches, const std::optional<Measurement>& memory) {
  if (!caches.empty() && caches.front().bandwidth_gbs) return caches.front().bandwidth_gbs->value;
  return memory ? memory->value : 0;
}

/// Estimates the accumulators of a tile: each register of a sum needs another one for an operand, and some
/// registers hold addresses.
int accumulators_of(const HwProfile& profile, int most) {
  if (!profile.registers.per_item) return most;
  constexpr int kOthers = 24, kLanes = 4, kFewest = 2;
  const int registers = static_cast<int>(profile.registers.per_item->value);
  return std::clamp((registers - kOthers) / (2 * kLanes), kFewest, most);
}

}  // namespace

Target target_of(const HwProfile& profile, std::int64_t max_group_size) {
  Target target;
  target.compute_units = value_or(profile.compute_units, target.compute_units);
  const double buffers = bandwidth_of(profile.buffer_caches, profile.dram_gbs);
  target.prefers_images = buffers > 0 && bandwidth_of(profile.image_caches, profile.image_gbs) > buffers;
  const auto& local = profile.local_memory;
  target.has_local_memory = local.on_chip
                                ? local.on_chip->value
                                : buffers > 0 && local.bandwidth_gbs && local.bandwidth_gbs->value > buffers;
  target.is_local_memory_off_chip = local.on_chip && !local.on_chip->value;
  if (local.bytes) target.local_bytes = static_cast<std::int64_t>(local.bytes->value);
  if (profile.registers.pool)
    target.registers_per_unit = static_cast<std::int64_t>(profile.registers.pool->value);
  target.computes_halves = profile.computes_halves_faster();
  if (profile.autobroadcast_pays) target.autobroadcast_pays = profile.autobroadcast_pays->value;
  if (profile.unrolls_loops && profile.unrolls_loops->value)
    target.loop_registers = profile.half_occupancy_registers();
  target.gathers_reads = profile.gathers_reads();
  const int warp = value_or(profile.warp_size, 1);
  if (profile.has_many_items()) {
    target.unit = unit_rates_of(profile, UnitRates());
    // Four sub-groups in flight per unit: enough to hide some of the latency of loads. Where work-items do
    // not run in step, a quarter of those that the registers are for.
    constexpr int kFewItems = 64;
    target.parallel_items = target.compute_units * (warp > 1 ? warp * 4 : kFewItems);
    target.accumulators = accumulators_of(profile, target.accumulators);
    target.group_items =
        static_cast<int>(std::min<std::int64_t>(64, std::max<std::int64_t>(1, max_group_size)));
    // If the number of registers is unknown, a driver may allow a kernel no more than that.
    target.most_group_items = profile.registers.pool
                                  ? static_cast<int>(std::clamp<std::int64_t>(max_group_size, 1, 256))
                                  : target.group_items;
    return target;
  }
  // A thread runs a whole work-group: explicit vectors, and tiles that fill its vector registers (32 of them
  // where vectors have 16 floats, else 16), less four for operands.
  target.group_items = 1;
  target.parallel_items = target.compute_units;
  target.vector_width = std::clamp(value_or(profile.vector_width.buffer, 4), 4, 16);
  target.unit = unit_rates_of(profile, thread_rates(target.vector_width));
  const int registers = target.vector_width == 16 ? 32 : 16;
  target.accumulators = std::max(
      4, value_or(profile.registers.per_item, registers * target.vector_width) / target.vector_width - 4);
  target.work_per_group = 8192;
  // A unit's own caches are two levels on current CPUs.
  if (profile.buffer_caches.size() > 1 && profile.buffer_caches[1].bytes)
    target.unit_cache_bytes = static_cast<std::int64_t>(profile.buffer_caches[1].bytes->value);
  return target;
}

Target with_group_items(const Target& target, std::int64_t most) {
  Target result = target;
  for (int* items : {&result.group_items, &result.most_group_items})
    *items = static_cast<int>(std::clamp<std::int64_t>(most, 1, *items));
  return result;
}

std::vector<int> autobroadcast_values(const Target& target) {
  if (!target.autobroadcast_pays) return {0, 1};
  return {*target.autobroadcast_pays ? 1 : 0};
}

}  // namespace tensordsl::schedules
