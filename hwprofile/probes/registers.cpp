// Registers: how many a work-item may have before it spills to memory, how many a compute unit has, and
// whether work-items share them.
// Source: Romou (MobiCom 2022), section 3, listing 1 and figure 5.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "hwprofile/analysis/first_step.h"
#include "hwprofile/analysis/spill.h"
#include "hwprofile/probes/probes.h"
#include "hwprofile/probes/step_sweep.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kFew = 16;  // values that no device spills
constexpr int kGroup = 128;  // a multiple of every warp that is known
constexpr std::int64_t kMostRegisterGroups = 1 << 14;

/// Values that are all needed in each round, each mixed with its neighbor so that no loop can be split;
/// `reads` waits in between keep the ALUs idle.
KernelText live_kernel(int registers, int group, int reads) {
  std::string start, steps, sum;
  for (int r = 0; r < registers; ++r) {
    start += fmt::format("  float a{0} = first + {0};\n", r);
    steps += fmt::format("    a{0} = a{0} * x + a{1};\n", r, (r + 1) % registers);
    sum += fmt::format("{}a{}", r ? " + " : "", r);
  }
  std::string wait;
  if (reads > 0) wait = fmt::format("    for (int r = 0; r < {}; ++r) at = chain[at];\n", reads);
  return {
      "live",
      fmt::format("__kernel void live(__global volatile int* chain, const int steps, const int factor) {{\n"
                  "  const float x = factor * 0.25f, first = get_local_id(0) * factor;\n"
                  "  int at = get_group_id(0) * 32;\n{}"
                  "  for (int i = 0; i < steps; ++i) {{\n{}{}  }}\n"
                  "  if ({} == 12345678.0f || at < 0) chain[0] = 1;\n}}\n",
                  start, steps, wait, sum),
      {group, 1, 1},
      {buffer_argument("chain"), scalar_argument("steps"), scalar_argument("factor")}};
}

/// Besides the values, the kernel needs one register each for the loop's counter, the factor, and the
/// position in the chain.
constexpr double kUnnamed = 3;

std::string groups_curve(int registers) { return fmt::format("groups with {} registers", registers); }

void measure_registers(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  // A CPU's work-items take turns in using the registers, and spills stay in its first cache.
  if (info.is_cpu) return;
  const auto few = [](int group) { return live_kernel(static_cast<int>(kFew), group, 0); };
  if (bench.largest_group(few, kGroup) < kGroup) return;
  const std::int64_t most_groups = most_groups_of_chain(info, kMostRegisterGroups);
  const auto chain = self_chain(bench, most_groups);
  Launch launch;
  const auto seconds_of = [&](const KernelText& text, std::int32_t steps, double groups) {
    launch.kernel = bench.kernel(text);
    launch.arguments = {chain, steps, std::int32_t{3}};
    launch.groups = {static_cast<std::int64_t>(groups), 1, 1};
    return bench.seconds_of(launch);
  };
  // Time of a multiply-add, over the number of live values; the total number makes a launch long enough to
  // time.
  double work = 1 << 10;
  const auto of_registers = [&](double registers) {
    const auto steps = static_cast<std::int32_t>(std::max(1.0, work / registers));
    return seconds_of(live_kernel(static_cast<int>(registers), kGroup, 0), steps, info.compute_units) /
           (steps * registers) * 1e9;
  };
  constexpr double kLongEnough = 2e-4;
  work = bench.calibrated(1 << 10, 1 << 24, kLongEnough, [&](std::int32_t steps) {
    work = steps;
    return of_registers(kFew) * 1e-9 * work;
  });
  // Side by side, which is far faster; one by one only if a driver refuses some, which are left out.
  const auto buildable = [&](std::vector<double> counts) {
    const auto text_of = [](double count) { return live_kernel(static_cast<int>(count), kGroup, 0); };
    std::vector<KernelText> texts;
    for (const double count : counts) texts.push_back(text_of(count));
    try {
      bench.prepare(texts);
    } catch (const DeviceError&) {
      std::erase_if(counts, [&](double count) { return !bench.can_build(text_of(count)); });
    }
    return counts;
  };
  constexpr int kDepths = 4;
  bench.expect_sweeps(2 + kDepths);
  const Sweep first_look = bench.sweep(buildable(value_counts(std::nullopt)), of_registers, 5);
  const std::vector<double> counts = buildable(value_counts(find_spill(first_look)));
  curves.push_back({"registers", "values of a work-item", "time of a multiply-add (ns)",
                    bench.sweep(counts, of_registers, 9)});
  // Measures the number of concurrent groups, for kernels with few and with many registers.
  const auto most = find_spill(curves.back().sweep);
  if (!most) return;
  std::set<int> depths;
  for (const double share : {0.1, 0.25, 0.5, 0.99})
    depths.insert(std::max(8, static_cast<int>(share * most->value)));
  for (const int registers : depths) {
    const KernelText text = live_kernel(registers, kGroup, 256);
    constexpr std::int32_t kSteps = 8;
    curves.push_back(measure_first_step(
        bench, groups_curve(registers), "waiting work-groups",
        [&](double n) { return seconds_of(text, kSteps, n); }, static_cast<double>(most_groups)));
  }
}

void analyze_registers(const std::vector<Curve>& curves, const DeviceInfo& info, HwProfile& profile) {
  const Curve* curve = find_curve(curves, "registers");
  if (!curve) return;
  if (const auto values = find_spill(curve->sweep)) {
    profile.registers.per_item = Measurement{values->value + kUnnamed, values->low + kUnnamed,
                                             values->high + kUnnamed, values->confident};
  }
  // Registers of all concurrent groups together are at most the pool; at the depth that fills it best they
  // are nearly all of it.
  struct Depth {
    int registers;
    Measurement groups;
  };
  std::vector<Depth> depths;
  for (const Curve& c : curves) {
    int registers = 0;
    if (std::sscanf(c.name.c_str(), "groups with %d registers", &registers) != 1 || c.sweep.points.size() < 4)
      continue;
    const auto groups = find_first_step(c.sweep);
    if (!groups) continue;
    depths.push_back({registers, *groups});
  }
  constexpr int kApart = 3;
  if (depths.size() < 2 || depths.back().registers < kApart * depths.front().registers) return;
  std::optional<Measurement> pool;
  for (const Depth& d : depths) {
    const double each = (d.registers + kUnnamed) * kGroup / info.compute_units;
    const Measurement total{d.groups.value * each, d.groups.low * each, d.groups.high * each,
                            d.groups.confident};
    if (!pool || total.value > pool->value) pool = total;
  }
  const Depth &few = depths.front(), &many = depths.back();
  const double ratio = few.groups.value / many.groups.value;
  constexpr double kShared = 1.5, kDedicated = 1.15;
  if (ratio > kDedicated && ratio < kShared) return;
  const bool is_shared = ratio >= kShared;
  profile.registers.shared = BoolMeasurement{is_shared, few.groups.confident && many.groups.confident};
  profile.registers.pool = pool;
}

}  // namespace

Probe registers_probe() {
  return {"registers", "registers of a work-item and of a compute unit, and whether they are shared", 4,
          measure_registers, analyze_registers};
}

}  // namespace tensordsl::hwprofile
