#include "hwprofile/probes/step_sweep.h"

#include <algorithm>
#include <cmath>

namespace tensordsl::hwprofile {

Curve measure_first_step(Bench& bench, const std::string& name, const std::string& x, const Sampler& seconds, double most) {
  constexpr double kLeap = 1.35;
  constexpr int kTries = 3;
  const auto tried = [&](double point) {
    std::vector<double> samples;
    for (int i = 0; i < kTries; ++i) samples.push_back(seconds(point));
    return estimate(std::move(samples)).median;
  };
  seconds(1);
  const double one = tried(1);
  std::vector<double> points{1};
  double flat = 1, leapt = 0;
  for (double point = 2; point <= most && leapt == 0; point *= 2) {
    if (tried(point) > kLeap * one) {
      leapt = point;
    } else {
      flat = point;
    }
    points.push_back(point);
  }
  if (leapt > 0) {
    while (leapt - flat > std::max(1.0, flat / 64)) {
      const double middle = std::floor((flat + leapt) / 2);
      (tried(middle) > kLeap * one ? leapt : flat) = middle;
    }
    constexpr double kAround = 0.2, kHalf = 20;  // points on each side at most
    const double step = std::max(1.0, std::round(kAround * flat / kHalf));
    for (double point = flat - kHalf * step; point <= flat + (kHalf + 1) * step; point += step) {
      if (point >= std::max(1.0, (1 - kAround) * flat - 2) && point <= std::min(most, (1 + kAround) * flat + 3)) points.push_back(point);
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return {name, x, "s", bench.sweep(points, seconds, 15)};
}

}  // namespace tensordsl::hwprofile
