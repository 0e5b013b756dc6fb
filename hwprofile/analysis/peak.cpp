#include "hwprofile/analysis/peak.h"

#include <algorithm>

namespace tensordsl::hwprofile {

Peak find_peak(const Sweep& sweep) {
  check_sweep("find_peak", sweep, 1);
  const auto heights = estimates(sweep);
  const auto highest =
      *std::max_element(heights.begin(), heights.end(),
                        [](const Estimate& a, const Estimate& b) { return a.median < b.median; });
  // The highest of several medians is too high; all points that the noise does not distinguish from it are
  // combined. Drift stays in: how high the peak is depends on it.
  std::vector<double> samples;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (heights[i].high < highest.low) continue;
    for (const auto& round : sweep.rounds) samples.push_back(round[i]);
  }
  const Estimate height = estimate(std::move(samples));
  // With the drift in it, the maximum may be over every point's median without it.
  const double high = std::min(height.median, highest.median);
  constexpr double kAsHigh = 0.97;
  const auto first_from = [&](auto is_high) {
    return sweep.points[static_cast<std::size_t>(std::find_if(heights.begin(), heights.end(), is_high) -
                                                 heights.begin())];
  };
  const double first = first_from([&](const Estimate& e) { return e.high >= kAsHigh * high; });
  const double earliest = first_from([&](const Estimate& e) { return e.high >= kAsHigh * highest.low; });
  const double latest = first_from([&](const Estimate& e) { return e.median >= kAsHigh * high; });
  const Measurement at{first, std::min(first, earliest), std::max(first, latest), earliest == latest};
  return {at, {height.median, height.low, height.high, is_known(height)}};
}

}  // namespace tensordsl::hwprofile
