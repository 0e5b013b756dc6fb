// Measures parallelism: compute units, the ALUs of one, and concurrent work-groups on the whole device. Romou
// (MobiCom 2022), section 3, listing 3, finds it by the order in which work-items reach a counter; here it is
// found by the time, which has error bars: one more than fit has to wait for its turn.
#include <fmt/format.h>

#include <algorithm>

#include "hwprofile/analysis/first_step.h"
#include "hwprofile/probes/probes.h"
#include "hwprofile/probes/step_sweep.h"

namespace tensordsl::hwprofile {
namespace {

/// Independent multiply-adds that leave no slot of an ALU unused; work-items from `active` on go home at
/// once.
KernelText busy_kernel(int group) {
  constexpr int kChains = 16;
  std::string start, steps, sum;
  for (int c = 0; c < kChains; ++c) {
    start += fmt::format("  float a{0} = get_local_id(0) + {0};\n", c);
    steps += fmt::format("    a{0} = a{0} * x + y;\n", c);
    sum += fmt::format("{}a{}", c ? " + " : "", c);
  }
  return {"busy",
          fmt::format("__kernel void busy(__global int* restrict out, const int steps, const int factor, "
                      "const int active) {{\n"
                      "  if (get_local_id(0) >= active) return;\n"
                      "  const float x = factor * 0.25f, y = factor;\n{}"
                      "  for (int i = 0; i < steps; ++i) {{\n{}  }}\n"
                      "  if ({} == 12345678.0f) out[0] = 1;\n}}\n",
                      start, steps, sum),
          {group, 1, 1},
          {buffer_argument("out"), scalar_argument("steps"), scalar_argument("factor"),
           scalar_argument("active")}};
}

constexpr std::int64_t kMostParallelGroups = 1 << 15;

/// Each work-item waits for one read after the other, each group for a line of its own: hardly any of an ALU
/// or of the caches' bandwidth is used, so groups slow each other down only if they do not fit.
KernelText waiting_kernel() {
  return {"waiting",
          "__kernel void waiting(__global volatile int* chain, const int steps) {\n"
          "  int at = get_group_id(0) * 32;\n"
          "  for (int i = 0; i < steps; ++i) at = chain[at];\n"
          "  if (at < 0) chain[0] = at;\n"
          "}\n",
          {1, 1, 1},
          {buffer_argument("chain"), scalar_argument("steps")}};
}

void measure_parallelism(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  const auto out = bench.device().allocate(64);
  bench.expect_sweeps(3);
  // The threads of a CPU wake up one after the other; a run that is over before the last one has woken says
  // nothing.
  const double long_enough = info.is_cpu ? 5e-3 : 3e-4;
  const auto calibrated = [&](const std::function<double(std::int32_t)>& seconds) {
    return bench.calibrated(32, 1 << 24, long_enough, seconds);
  };
  Launch busy;
  const int group = info.is_cpu ? 1 : bench.largest_group(busy_kernel, 1024);
  busy.kernel = bench.kernel(busy_kernel(group));
  const auto busy_seconds = [&](std::int32_t steps, double groups, double active) {
    busy.arguments = {out, steps, std::int32_t{3}, static_cast<std::int32_t>(active)};
    busy.groups = {static_cast<std::int64_t>(groups), 1, 1};
    return bench.seconds_of(busy);
  };
  const std::int32_t full = calibrated([&](std::int32_t n) { return busy_seconds(n, 1, group); });
  curves.push_back(measure_first_step(
      bench, "units", "busy work-groups", [&](double n) { return busy_seconds(full, n, group); }, 4096));
  const std::int64_t most_groups = most_groups_of_chain(info, kMostParallelGroups);
  const auto chain = self_chain(bench, most_groups);
  Launch waiting;
  waiting.kernel = bench.kernel(waiting_kernel());
  const auto waiting_seconds = [&](std::int32_t steps, double groups) {
    waiting.arguments = {chain, steps};
    waiting.groups = {static_cast<std::int64_t>(groups), 1, 1};
    return bench.seconds_of(waiting);
  };
  const std::int32_t waits = calibrated([&](std::int32_t n) { return waiting_seconds(n, 1); });
  curves.push_back(measure_first_step(
      bench, "groups", "waiting work-groups", [&](double n) { return waiting_seconds(waits, n); },
      static_cast<double>(most_groups)));
  // A CPU runs the work-items of a group one after the other, so their time says nothing of its ALUs.
  if (!info.is_cpu) {
    const std::int32_t one = calibrated([&](std::int32_t n) { return busy_seconds(n, 1, 1); });
    curves.push_back(measure_first_step(
        bench, "alus", "busy work-items of a group", [&](double n) { return busy_seconds(one, 1, n); },
        group));
  }
}

void analyze_parallelism(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  const auto step_of = [&](const char* name) -> std::optional<Measurement> {
    const Curve* curve = find_curve(curves, name);
    return curve && curve->sweep.points.size() >= 4 ? find_first_step(curve->sweep) : std::nullopt;
  };
  profile.compute_units = step_of("units");
  profile.concurrent_groups = step_of("groups");
  profile.alus_per_unit = step_of("alus");
}

}  // namespace

Probe parallelism_probe() {
  return {"parallelism", "compute units, ALUs of one, work-groups that run side by side", 2,
          measure_parallelism, analyze_parallelism};
}

}  // namespace tensordsl::hwprofile
