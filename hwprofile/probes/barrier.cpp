// Measures the cost of a barrier of a full work-group.
#include <algorithm>

#include "hwprofile/analysis/line.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

KernelText barrier_kernel(int group) {
  return {"wait",
          "__kernel void wait(__global int* restrict out, const int barriers) {\n"
          "  int a = get_local_id(0);\n"
          "  for (int i = 0; i < barriers; ++i) {\n"
          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
          "    a = a * 3 + i;\n"
          "  }\n"
          "  if (a == 12345678) out[0] = a;\n"
          "}\n",
          {group, 1, 1},
          {buffer_argument("out"), scalar_argument("barriers")}};
}

void measure_barrier(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  const auto out = bench.device().allocate(64);
  const int group = bench.largest_group(barrier_kernel, 1024);
  Launch launch;
  launch.kernel = bench.kernel(barrier_kernel(group));
  launch.groups = {info.compute_units, 1, 1};
  const auto seconds = [&](double barriers) {
    launch.arguments = {out, static_cast<std::int32_t>(barriers)};
    return bench.seconds_of(launch);
  };
  bench.expect_sweeps(1);
  curves.push_back({"barriers", "barriers", "s", bench.sweep({256, 512, 1024, 2048, 4096}, seconds, 25)});
}

void analyze_barrier(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  const Curve* curve = find_curve(curves, "barriers");
  if (!curve) return;
  const Measurement slope = fit_line(curve->sweep).slope;
  if (slope.low <= 0) return;
  profile.barrier_ns = Measurement{slope.value * 1e9, slope.low * 1e9, slope.high * 1e9, slope.confident};
}

}  // namespace

Probe barrier_probe() {
  return {"barrier", "what a full work-group waits at a barrier", 1, measure_barrier, analyze_barrier};
}

}  // namespace tensordsl::hwprofile
