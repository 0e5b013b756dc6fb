// Measurements of devices that do not exist: laws with chosen parameters, under noise, outliers and a clock
// that drifts.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "hwprofile/analysis/sweep.h"

namespace tensordsl::hwprofile {

struct Disturbance {
  double noise = 0.1;      // standard deviation of the logarithm
  double outliers = 0.05;  // this share of samples takes up to three times as long
  double drift = 0.2;      // of the clock, from the first round to the last
};

/// `law` at each point, in rounds.
inline Sweep measured(const std::vector<double>& points, int rounds, const std::function<double(double)>& law,
                      const Disturbance& disturbed, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share;
  Sweep sweep{points, {}};
  for (int r = 0; r < rounds; ++r) {
    const double clock = 1 + disturbed.drift * r / std::max(rounds - 1, 1);
    sweep.rounds.emplace_back();
    for (const double p : points) {
      const double late = share(random) < disturbed.outliers ? 1 + 2 * share(random) : 1;
      sweep.rounds.back().push_back(law(p) * clock * late * std::exp(disturbed.noise * normal(random)));
    }
  }
  return sweep;
}

/// first, first * ratio, ... up to last.
inline std::vector<double> geometric(double first, double last, double ratio) {
  std::vector<double> points;
  for (double p = first; p <= last * 1.001; p *= ratio) points.push_back(p);
  return points;
}

}  // namespace tensordsl::hwprofile
