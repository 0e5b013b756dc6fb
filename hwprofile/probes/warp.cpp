// Work-items that run in step, seen in two ways: a work-group costs as much as its last warp, full or not;
// and a warp of which some work-items go one way and some the other walks both.
// Source: Romou (MobiCom 2022), section 3, figure 7, for the first.
#include <algorithm>

#include "hwprofile/analysis/first_step.h"
#include "hwprofile/analysis/staircase.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

constexpr int kMaxItems = 256;

/// Divisions depend on each other, so that no latency is hidden.
KernelText step_kernel(int group) {
  return {"in_step",
          "__kernel void in_step(__global int* restrict out, const int steps, const int factor) {\n"
          "  int a = get_local_id(0) + 1000000007;\n"
          "  for (int i = 0; i < steps; ++i) a = a / factor + 1000000007 - i;\n"
          "  if (a == 12345678) out[0] = a;\n"
          "}\n",
          {group, 1, 1},
          {buffer_argument("out"), scalar_argument("steps"), scalar_argument("factor")}};
}

/// Runs of work-items go the one way and the other in turns. The two ways cost the same and have nothing in
/// common.
KernelText branch_kernel(int group) {
  return {
      "diverge",
      "__kernel void diverge(__global int* restrict out, const int steps, const int factor, const int run) "
      "{\n"
      "  int a = get_local_id(0) + 1000000007;\n"
      "  if (get_local_id(0) / run % 2 == 0) {\n"
      "    for (int i = 0; i < steps; ++i) a = a / factor + 1000000007 - i;\n"
      "  } else {\n"
      "    for (int i = 0; i < steps; ++i) a = (a ^ i) / (factor + 2) - 1000000009;\n"
      "  }\n"
      "  if (a == 12345678) out[0] = a;\n"
      "}\n",
      {group, 1, 1},
      {buffer_argument("out"), scalar_argument("steps"), scalar_argument("factor"), scalar_argument("run")}};
}

/// A CPU runs the work-items of a group in a loop, one after the other. Its compiler may make vectors of that
/// loop, whose width shows like a warp's, but no hardware keeps work-items in step: nothing is asked there.
void measure_warp(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  if (info.is_cpu) return;
  const int most =
      std::min(bench.largest_group(step_kernel, kMaxItems), bench.largest_group(branch_kernel, kMaxItems));
  std::vector<double> sizes;
  std::vector<KernelText> texts;
  for (int size = 8; size <= most; size += 8) {
    sizes.push_back(size);
    texts.push_back(step_kernel(size));
  }
  if (sizes.size() < 4) return;
  bench.prepare(texts);
  const auto out = bench.device().allocate(64);
  const std::int64_t groups = std::int64_t{info.compute_units} * 64;
  std::int32_t steps = 8;
  Launch launch;
  launch.groups = {groups, 1, 1};
  const auto of_size = [&](double size) {
    launch.kernel = bench.kernel(step_kernel(static_cast<int>(size)));
    launch.arguments = {out, steps, std::int32_t{3}};
    return bench.seconds_of(launch);
  };
  const auto of_run = [&](double run) {
    launch.kernel = bench.kernel(branch_kernel(most));
    launch.arguments = {out, steps, std::int32_t{3}, static_cast<std::int32_t>(run)};
    return bench.seconds_of(launch);
  };
  constexpr double kLongEnough = 2e-4;
  bench.calibrated(8, 1 << 20, kLongEnough, [&](std::int32_t count) {
    steps = count;
    return of_size(sizes.front());
  });
  bench.expect_sweeps(2);
  curves.push_back({"group size", "work-items of a group", "s", bench.sweep(sizes, of_size, 25)});
  std::vector<double> runs;
  for (int run = 1; run <= most / 2; run *= 2) runs.push_back(run);
  curves.push_back({"branch", "neighbors that go the same way", "s", bench.sweep(runs, of_run, 25)});
}

/// The shortest run of neighbors with which no warp walks both ways: up to there the time is flat, from there
/// on it is less.
std::optional<Measurement> warp_of_branch(const Sweep& sweep) {
  Sweep rates = sweep;
  for (auto& round : rates.rounds) {
    for (double& sample : round) sample = 1 / sample;
  }
  return find_first_beyond(rates);
}

/// Combines the results of both methods. A single result, or two that differ, give a guess.
std::optional<Measurement> agreed(const std::optional<Measurement>& a, const std::optional<Measurement>& b) {
  if (!a || !b) {
    std::optional<Measurement> guess = a ? a : b;
    if (guess) guess->confident = false;
    return guess;
  }
  if (a->value == b->value) return Measurement{a->value, a->value, a->value, a->confident || b->confident};
  return Measurement{std::min(a->value, b->value), std::min(a->low, b->low), std::max(a->high, b->high),
                     false};
}

void analyze_warp(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  std::optional<Measurement> by_size, by_branch;
  if (const Curve* curve = find_curve(curves, "group size")) by_size = find_step_width(curve->sweep);
  if (const Curve* curve = find_curve(curves, "branch")) by_branch = warp_of_branch(curve->sweep);
  profile.warp_size = agreed(by_size, by_branch);
}

}  // namespace

Probe warp_probe() {
  return {"warp", "work-items that run in step, by full groups and by branches", 1, measure_warp,
          analyze_warp};
}

}  // namespace tensordsl::hwprofile
