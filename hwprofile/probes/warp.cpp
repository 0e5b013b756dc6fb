// Work-items that run in step: a work-group costs as much as its last warp, full or not.
// Source: Romou (MobiCom 2022), section 3, figure 7.
#include <algorithm>

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// Divisions depend on each other and leave nothing to hide behind.
constexpr char kText[] =
    "__kernel void in_step(__global int* restrict out, const int steps, const int factor) {\n"
    "  int a = get_local_id(0) + 1000000007;\n"
    "  for (int i = 0; i < steps; ++i) a = a / factor + 1000000007 - i;\n"
    "  if (a == 12345678) out[0] = a;\n"
    "}\n";

std::vector<Curve> measure(Bench& bench) {
  const DeviceInfo& info = bench.info();
  const auto most = static_cast<int>(std::min<std::int64_t>(256, info.max_group_size));
  std::vector<double> sizes;
  for (int size = 8; size <= most; size += 8) sizes.push_back(size);
  if (sizes.size() < 4) return {};
  const auto out = bench.device().allocate(64);
  const std::int64_t groups = std::int64_t{info.compute_units} * (info.is_cpu ? 4 : 64);
  std::int32_t steps = 64;
  const auto seconds = [&](double size) {
    Launch launch;
    launch.kernel = bench.kernel("in_step", kText, {static_cast<int>(size), 1, 1}, {"out"}, {"steps", "factor"});
    launch.arguments = {out, steps, std::int32_t{3}};
    launch.groups = {groups, 1, 1};
    return bench.seconds_of(launch);
  };
  while (seconds(sizes.front()) < 2e-4 && steps < (1 << 20)) steps *= 2;
  bench.expect_sweeps(1);
  return {{"group size", "work-items of a group", "s", bench.sweep(sizes, seconds, 25)}};
}

void analyse(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile, std::vector<Mark>& marks) {
  const Curve* curve = find_curve(curves, "group size");
  if (!curve) return;
  profile.warp_size = find_step_width(curve->sweep);
  if (profile.warp_size) marks.push_back({"group size", profile.warp_size->value, "warp"});
}

}  // namespace

Probe warp_probe() { return {"warp", "work-items that run in step", measure, analyse}; }

}  // namespace tensordsl::hwprofile
