#include "hwprofile/profiling/calibrator.h"

namespace tensordsl::hwprofile {
namespace {

constexpr int kRounds = 5;

/// Each operation needs the one before, so that neither other work-items nor wide units make it faster.
KernelText chain_kernel() {
  return {"calibrate",
          "__kernel void calibrate(__global int* restrict out, const int steps, const int factor) {\n"
          "  int a = get_global_id(0) + 1;\n"
          "  for (int i = 0; i < steps; ++i) a = a * factor + i;\n"
          "  if (a == 12345678) out[0] = a;\n"
          "}\n",
          {1, 1, 1},
          {buffer_argument("out"), scalar_argument("steps"), scalar_argument("factor")}};
}

}  // namespace

Calibrator::Calibrator(Device& device, double seconds, const Clock& clock)
    : bench_(device, seconds, clock), out_(device.allocate(64)) {
  constexpr double kLongEnough = 2e-3;  // above the cost of a launch, and negligible for a run
  steps_ = bench_.calibrated(1 << 10, 1 << 26, kLongEnough, [&](std::int32_t steps) {
    steps_ = steps;
    return seconds_on(1);
  });
  constexpr int kMostWaits = 50;
  constexpr double kSame = 1.02;
  double before = seconds_on(bench_.info().compute_units);
  for (int i = 0; i < kMostWaits; ++i) {
    const double now = seconds_on(bench_.info().compute_units);
    if (before <= kSame * now) return;
    before = now;
  }
}

double Calibrator::seconds_on(std::int64_t units) {
  Launch launch;
  launch.kernel = bench_.kernel(chain_kernel());
  launch.arguments = {out_, steps_, std::int32_t{3}};
  launch.groups = {units, 1, 1};
  return bench_.seconds_of(launch);
}

Calibration Calibrator::measure() {
  std::vector<double> one, all;
  for (int i = 0; i < kRounds; ++i) {
    one.push_back(seconds_on(1));
    all.push_back(seconds_on(bench_.info().compute_units));
  }
  const double ns = 1e9 / steps_;
  return {estimate(one).median * ns, estimate(all).median * ns};
}

}  // namespace tensordsl::hwprofile
