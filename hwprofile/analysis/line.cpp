#include "hwprofile/analysis/line.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tensordsl::hwprofile {
namespace {

double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::pair<double, double>> slopes;  // with their weights
  double weight = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double distance = x[j] - x[i];
      slopes.emplace_back((y[j] - y[i]) / distance, distance);
      weight += distance;
    }
  }
  std::sort(slopes.begin(), slopes.end());
  double sum = 0;
  for (const auto& [slope, w] : slopes) {
    sum += w;
    if (sum * 2 >= weight) return slope;
  }
  return slopes.back().first;
}

}  // namespace

Line fit_line(const Sweep& sweep) {
  check_sweep("fit_line", sweep, 2);
  std::vector<double> medians, slopes, bases;
  for (const Estimate& e : estimates(sweep)) medians.push_back(e.median);
  for (const auto& round : sweep.rounds) slopes.push_back(slope_of(sweep.points, round));
  const double slope = slope_of(sweep.points, medians);
  for (std::size_t i = 0; i < medians.size(); ++i) bases.push_back(medians[i] - slope * sweep.points[i]);
  const Estimate range = estimate(std::move(slopes));
  const double low = std::min(range.low, slope), high = std::max(range.high, slope);
  return {{slope, low, high, high - low <= 0.2 * std::abs(slope)}, estimate(std::move(bases)).median};
}

}  // namespace tensordsl::hwprofile
