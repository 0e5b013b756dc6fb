#include "schedules/support/unit_rates.h"

#include <algorithm>
#include <cstddef>

#include "predict/device_figures.h"

namespace tensordsl::schedules {
namespace {

/// Sets `bytes` to the share that a unit has of a bandwidth of all units, in a clock.
void set_bytes(double& bytes, const std::optional<Measurement>& gbs, const predict::DeviceFigures& device) {
  if (gbs) bytes = gbs->value * 1e3 / device.clocks_per_us / device.units;
}

void set_clocks(double& clocks, const std::optional<Measurement>& ns, const predict::DeviceFigures& device) {
  if (ns) clocks = ns->value * 1e-3 * device.clocks_per_us;
}

/// Sets the bandwidths of the caches of a unit and of those that units share.
void set_cache_bytes(UnitRates& rates, const HwProfile& profile, const predict::DeviceFigures& device) {
  const auto& caches = profile.buffer_caches;
  if (!device.runs_in_step) {
    if (caches.size() > 1) set_bytes(rates.cache_bytes, caches[1].bandwidth_gbs, device);
    if (caches.size() > 2) set_bytes(rates.shared_bytes, caches[2].bandwidth_gbs, device);
    return;
  }
  // The model of predictions completes the levels of a GPU: a cache of each unit and one that they share.
  if (caches.empty() || !caches.front().bandwidth_gbs) return;
  rates.cache_bytes = device.buffers.front().bytes_per_clock / device.units;
  rates.shared_bytes = device.buffers[device.buffers.size() - 2].bytes_per_clock / device.units;
}

}  // namespace

UnitRates thread_rates(int vector_width) {
  UnitRates rates;
  constexpr int kMultiplyAdds = 2;  // vectors of a clock
  rates.multiply_adds = kMultiplyAdds * vector_width;
  rates.matrix_multiply_adds = rates.multiply_adds;
  rates.warp_items = rates.most_items = rates.most_groups = 1;
  rates.memory_wait = 111;
  rates.local_wait = 5;
  rates.barrier_wait = 0;
  rates.local_bytes = 128;
  rates.cache_bytes = 27.8;
  rates.shared_bytes = 9.31;
  rates.memory_bytes = 4.0;
  return rates;
}

UnitRates unit_rates_of(const HwProfile& profile, const UnitRates& defaults) {
  UnitRates rates = defaults;
  const predict::DeviceFigures device = predict::figures_of(profile);
  if (device.runs_in_step) rates.warp_items = device.warp;
  if (!profile.registers.occupancy.empty()) rates.most_items = profile.registers.occupancy.front().items;
  if (device.runs_in_step && profile.concurrent_groups && profile.compute_units)
    rates.most_groups = static_cast<int>(device.most_groups);
  const bool has_clock =
      profile.fma_gflops.f32 && profile.compute_units && (profile.alus_per_unit || !device.runs_in_step);
  if (!has_clock) return rates;
  if (profile.alus_per_unit) rates.multiply_adds = profile.alus_per_unit->value;
  if (profile.matrix_gflops) {
    constexpr double kOperations = 2;  // of a multiply-add
    rates.matrix_multiply_adds =
        profile.matrix_gflops->value * 1e3 / kOperations / device.clocks_per_us / device.units;
  }
  set_clocks(rates.memory_wait, profile.dram_latency_ns, device);
  set_clocks(rates.local_wait, profile.local_memory.latency_ns, device);
  set_clocks(rates.barrier_wait, profile.barrier_ns, device);
  set_bytes(rates.local_bytes, profile.local_memory.bandwidth_gbs, device);
  set_cache_bytes(rates, profile, device);
  set_bytes(rates.memory_bytes, profile.dram_gbs, device);
  return rates;
}

}  // namespace tensordsl::schedules
