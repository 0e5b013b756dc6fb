// What it costs to launch a kernel that does next to nothing.
#include <algorithm>

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

constexpr char kText[] =
    "__kernel void touch(__global int* restrict to) {\n"
    "  if (get_global_id(0) == 0) to[0] = to[0] + 1;\n"
    "}\n";

std::vector<Curve> measure(Bench& bench) {
  const auto kernel = bench.kernel("touch", kText, {1, 1, 1}, {"to"}, {});
  const auto to = bench.device().allocate(64);
  Launch launch;
  launch.kernel = kernel;
  launch.arguments = {to};
  bench.expect_sweeps(1);
  const auto seconds = [&](double launches) {
    const auto recording = bench.device().record(std::vector<Launch>(static_cast<std::size_t>(launches), launch));
    return Bench::host_seconds_of([&] { recording->replay(); });
  };
  return {{"launches", "launches", "s", bench.sweep({1, 2, 4, 8, 16, 32, 64, 128, 256}, seconds, 25)}};
}

void analyse(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile, std::vector<Mark>&) {
  const Curve* curve = find_curve(curves, "launches");
  if (!curve) return;
  const Line line = fit_line(curve->sweep);
  const auto scaled = [](Figure f, double by) { return Figure{f.value * by, f.low * by, f.high * by, f.confident}; };
  profile.launch_us = scaled(line.slope, 1e6);
  const Estimate one = estimates(curve->sweep).front();
  profile.launch_completed_us = Figure{one.median * 1e6, one.low * 1e6, one.high * 1e6, one.high - one.low <= 0.2 * one.median};
}

}  // namespace

Probe launch_probe() { return {"launch", "time of a launch: back to back, and waited for", measure, analyse}; }

}  // namespace tensordsl::hwprofile
