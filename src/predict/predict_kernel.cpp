#include "predict/predict_kernel.h"

#include <algorithm>
#include <cmath>

#include "predict/footprint.h"

namespace tensordsl::predict {
namespace {

bool is_buffer(const AccessWork& access) {
  return access.place == Place::Buffer || access.place == Place::Constant || access.place == Place::Private;
}
bool is_image(const AccessWork& access) { return access.place == Place::Image; }
using Counted = bool (*)(const AccessWork&);

/// Clocks of a unit for the instructions of one work-group, and of one of its warps by itself.
struct Instructions {
  double of_group = 0, of_warp = 0;
};

Instructions instructions_of(const KernelWork& work, const DeviceFigures& device, double spilled) {
  const OperationCounts& o = work.operations;
  // A spilled register is stored and loaded once in an iteration.
  const double spills = 2 * spilled / device.vector_lanes * std::max(1.0, work.iterations);
  if (!device.runs_in_step) {
    // Two multiply-adds and two loads in a clock, one store, four instructions in all.
    constexpr double kSpecial = 8, kIteration = 2;
    const double loads = o.loads + spills / 2, stores = o.stores + spills / 2;
    const double all = o.all() + spills + kIteration * work.iterations;
    const double clocks = std::max(
        {(o.multiply_adds + o.others + kSpecial * o.special) / 2, loads / 2, stores, all / device.issues});
    return {clocks * work.group_items, clocks};
  }
  constexpr double kSpecial = 8, kIteration = 4;
  const double issues = o.all() + (kSpecial - 1) * o.special + spills + kIteration * work.iterations;
  // A warp that has no work computes its indices and tests them, too.
  constexpr double kStart = 32;
  const double warps = std::ceil(static_cast<double>(work.group_items) / device.warp);
  return {warps * (issues + kStart) / device.issues, issues / work.running};
}

/// Widths of the paths from a cache or from local memory to the work-items of a unit, in bytes of a clock.
struct Paths {
  double bandwidth = 0;  ///< of all its data
  double lookup = 0;     ///< of what it looks up at once
  double delivery = 0;   ///< of what the work-items receive; equal data is delivered to each of them
};

/// Returns a unit's clocks for the accesses of one work-group that `is_counted` takes. A cache looks up a
/// line in a clock, or as many as its bandwidth has, and reads equal addresses of a warp once. Texture units
/// filter texel by texel.
double access_clocks(const KernelWork& work, const DeviceFigures& device, Counted is_counted, Paths paths) {
  const double warps = std::ceil(static_cast<double>(work.group_items) / device.warp);
  const double items = std::min(device.warp, work.group_items);
  const double lookup = std::max(paths.bandwidth, paths.lookup),
               delivery = std::max(paths.bandwidth, paths.delivery);
  double clocks = 0;
  for (const AccessWork& access : work.accesses) {
    if (!is_counted(access)) continue;
    const double of_items = items * access.bytes;
    if (is_image(access)) {
      clocks += access.times * of_items / paths.bandwidth;
    } else {
      clocks += access.times * std::max({access.lines * paths.lookup / lookup,
                                         access.warp_bytes / paths.bandwidth, of_items / delivery});
    }
  }
  return warps * clocks;
}

/// Returns the clocks of the traffic that passes each cache, by the name of the memory that it reaches.
std::vector<std::pair<std::string, double>> clocks_past_caches(const KernelWork& work,
                                                               const DeviceFigures& device,
                                                               const std::vector<MemoryLevel>& levels,
                                                               Counted is_counted, double groups_of_unit) {
  const double line = device.line_bytes;
  std::vector<double> iteration_bytes;
  for (std::size_t depth = 0; iteration_bytes.empty() || iteration_bytes.back() > 0; ++depth)
    iteration_bytes.push_back(bytes_of_iteration(work, depth, is_counted, line));
  std::vector<std::pair<std::string, double>> clocks;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    const MemoryLevel &cache = levels[i], &next = levels[i + 1];
    double bytes = 0;
    if (cache.is_shared) {
      const double groups = std::min(work.groups, groups_of_unit * device.units);
      bytes = bytes_past_shared_cache(work, is_counted, cache.bytes, std::max(1.0, groups), line);
    } else {
      const double share = cache.bytes / groups_of_unit;
      for (const AccessWork& access : work.accesses) {
        if (is_counted(access) && access.place != Place::Private)
          bytes += bytes_past_unit_cache(work, access, share, iteration_bytes, line);
      }
    }
    // A few units cannot use the combined bandwidth of the caches.
    const bool is_last = i + 2 == levels.size();
    const double used = is_last ? 1 : std::min(1.0, work.groups / device.units);
    clocks.emplace_back(next.name, bytes / (next.bytes_per_clock * used));
  }
  return clocks;
}

double side_by_side(const KernelWork& work, const DeviceFigures& device) {
  if (!device.runs_in_step) return 1;
  const double items = std::ceil(static_cast<double>(work.group_items) / device.warp) * device.warp;
  // Drivers need registers for addresses in addition to the registers of the text. Steps of occupancy are of
  // the registers that compilers count, which the estimate of the text has been compared with.
  constexpr double kMostItems = 2048;
  const double others = device.occupancy.empty() ? 16 : 0;
  const double registers = std::min(device.registers_per_item, work.registers + others);
  const double resident = device.occupancy.empty() ? device.registers_per_unit / registers
                                                   : resident_items(device.occupancy, registers);
  double groups = std::min({device.most_groups, kMostItems / items, resident / items});
  if (work.local_bytes > 0)
    groups = std::min(groups, device.local_bytes_per_unit / static_cast<double>(work.local_bytes));
  return std::max(1.0, std::floor(groups));
}

}  // namespace

const std::pair<std::string, double>& Prediction::largest_bound() const {
  return *std::ranges::max_element(bounds, {}, &std::pair<std::string, double>::second);
}

KernelWork count_work(const lower::LoweredKernel& kernel, const DeviceFigures& device) {
  return count_work(kernel,
                    CountingOptions{device.vector_lanes, device.warp, device.line_bytes, device.runs_in_step,
                                    device.takes_halves, device.registers_per_item, device.moves_repeated});
}

Prediction predict_kernel(const KernelWork& work, const DeviceFigures& device) {
  Prediction result;
  result.spilled_registers = std::max(0.0, work.registers - device.registers_per_item);
  result.groups_of_unit = side_by_side(work, device);
  const double of_unit = std::ceil(work.groups / device.units);
  result.rounds = std::max(1.0, of_unit / result.groups_of_unit);
  const auto us = [&](double clocks) { return clocks / device.clocks_per_us; };
  const auto add = [&](const char* name, double clocks) { result.bounds.emplace_back(name, us(clocks)); };

  const Instructions instructions = instructions_of(work, device, result.spilled_registers);
  const double starts = device.runs_in_step ? 0 : 200;  // clocks of a thread, to begin a work-group
  // A warp starts no instruction in each clock: few of them, as where registers leave room for no more, do
  // not keep a wide unit busy. Source: Romou, section 3.2: beyond 60 registers half as fast.
  constexpr double kClocksOfWarp = 2;
  const double issued_clocks =
      device.runs_in_step
          ? std::max(of_unit * instructions.of_group, result.rounds * kClocksOfWarp * instructions.of_warp)
          : of_unit * (instructions.of_group + starts);
  add("instructions", issued_clocks);
  const auto is_local = [](const AccessWork& a) { return a.place == Place::Local; };
  constexpr double kTurn = 128;  // bytes
  add("local memory",
      device.runs_in_step
          ? of_unit * access_clocks(work, device, is_local, {device.local_bytes_per_clock, kTurn, kTurn})
          : 0);
  double waits = 0;
  if (device.runs_in_step) {
    constexpr double kStep = 0.25;  // clocks from an instruction to the next of the same warp
    waits = (work.memory_waits * device.memory_wait + work.local_waits * device.local_wait) / work.running +
            work.barriers * device.barrier_wait + kStep * instructions.of_warp;
  }
  add("waits", result.rounds * waits);

  double near = 0, far = 0;
  const auto add_memory = [&](const std::vector<MemoryLevel>& levels, Counted is_counted, const char* kind) {
    if (std::ranges::none_of(work.accesses, is_counted)) return;
    const double nearest =
        of_unit * access_clocks(work, device, is_counted,
                                {levels.front().bytes_per_clock / device.units,
                                 static_cast<double>(device.line_bytes), device.delivered_bytes});
    near += nearest;
    result.bounds.emplace_back(kind + levels.front().name, us(nearest));
    for (const auto& [name, clocks] :
         clocks_past_caches(work, device, levels, is_counted, result.groups_of_unit)) {
      far = std::max(far, clocks);
      result.bounds.emplace_back(kind + name, us(clocks));
    }
  };
  // Spilled registers are memory of their own: near a unit, as buffers are.
  if (device.runs_in_step && result.spilled_registers > 0) {
    constexpr double kBytes = 2 * 4;  // there and back
    const double bytes =
        kBytes * result.spilled_registers * std::max(1.0, work.iterations) * work.group_items;
    const double clocks = of_unit * bytes / (device.buffers.front().bytes_per_clock / device.units);
    near += clocks;
    add("spills", clocks);
  }
  add_memory(device.buffers, is_buffer, "");
  add_memory(device.images, is_image, "images, ");
  const double issued = result.bounds[0].second, local = result.bounds[1].second,
               waited = result.bounds[2].second;
  // A unit does one thing while it waits for another, but not all that it could.
  const double busiest = std::max({issued, local, us(near)});
  const double others = issued + local + us(near) - busiest;
  constexpr double kOverlap = 0.3;
  result.us = std::max(busiest + kOverlap * others + waited, us(far)) + kOverlap * std::min(us(far), busiest);
  return result;
}

}  // namespace tensordsl::predict
