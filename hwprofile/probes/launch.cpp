// Measures the cost of launching a nearly empty kernel, and the resolution of the clock that times it.
#include <algorithm>
#include <cmath>

#include "hwprofile/analysis/line.h"
#include "hwprofile/analysis/tick.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

KernelText touch() {
  return {"touch",
          "__kernel void touch(__global int* restrict to, const int steps) {\n"
          "  int sum = to[0];\n"
          "  for (int i = 0; i < steps; ++i) sum = sum * 3 + i;\n"
          "  to[0] = sum;\n"
          "}\n",
          {1, 1, 1},
          {buffer_argument("to"), scalar_argument("steps")}};
}

void measure_launch(Bench& bench, std::vector<Curve>& curves) {
  const auto to = bench.device().allocate(64);
  Launch launch;
  launch.kernel = bench.kernel(touch());
  launch.arguments = {to, std::int32_t{0}};
  const std::vector<double> counts{1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::vector<std::unique_ptr<Recording>> recordings;
  for (const double count : counts)
    recordings.push_back(bench.device().record(std::vector<Launch>(static_cast<std::size_t>(count), launch)));
  const auto recording_of = [&](double count) -> Recording& {
    return *recordings[static_cast<std::size_t>(std::find(counts.begin(), counts.end(), count) -
                                                counts.begin())];
  };
  // A driver initializes a thread's state in the thread's first call.
  const auto first_call = [&] { recordings[0]->replay(); };
  bench.expect_sweeps(3);
  curves.push_back({"completed", "launches", "s",
                    bench.sweep(
                        counts,
                        [&](double count) {
                          return bench.host_seconds_of([&] { recording_of(count).replay(); }, first_call);
                        },
                        100)});
  curves.push_back({"enqueued", "launches", "s",
                    bench.sweep(
                        counts,
                        [&](double count) {
                          const double seconds =
                              bench.host_seconds_of([&] { recording_of(count).start(); }, first_call);
                          bench.device().finish();
                          return seconds;
                        },
                        100)});
  // Work of about any length, to find the lengths that the clock can measure.
  std::vector<double> steps;
  for (double s = 0; s < 64; ++s) steps.push_back(s);
  curves.push_back({"clock", "steps of a kernel", "ns",
                    bench.sweep(
                        steps,
                        [&](double s) {
                          launch.arguments[1] = static_cast<std::int32_t>(s);
                          return bench.seconds_of(launch) * 1e9;
                        },
                        5)});
}

void analyze_launch(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  const auto slope_of = [&](const char* name) -> std::optional<Measurement> {
    const Curve* curve = find_curve(curves, name);
    if (!curve) return std::nullopt;
    const Measurement slope = fit_line(curve->sweep).slope;
    if (slope.low <= 0) return std::nullopt;
    return Measurement{slope.value * 1e6, slope.low * 1e6, slope.high * 1e6, slope.confident};
  };
  profile.launch_us = slope_of("completed");
  profile.launch_enqueue_us = slope_of("enqueued");
  if (const Curve* curve = find_curve(curves, "completed")) {
    const Estimate one = estimates(curve->sweep).front();
    profile.launch_completed_us = Measurement{one.median * 1e6, one.low * 1e6, one.high * 1e6, is_known(one)};
  }
  if (const Curve* curve = find_curve(curves, "clock")) {
    std::vector<double> durations;
    for (const auto& round : curve->sweep.rounds)
      durations.insert(durations.end(), round.begin(), round.end());
    for (double& ns : durations) ns = std::round(ns);
    profile.event_resolution_ns = find_tick(durations);
  }
}

}  // namespace

Probe launch_probe() {
  return {"launch", "time of a launch: handed over, back to back, waited for; the clock of events", 1,
          measure_launch, analyze_launch};
}

}  // namespace tensordsl::hwprofile
