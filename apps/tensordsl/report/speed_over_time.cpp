#include "apps/tensordsl/report/speed_over_time.h"

#include <algorithm>
#include <array>

namespace tensordsl::cli {

SpeedOverTime speed_over_time(const std::vector<TimedRun>& runs) {
  constexpr std::size_t kParts = 10;
  SpeedOverTime result;
  if (runs.empty()) return result;
  const double end = runs.back().start_s + runs.back().ms * 1e-3;
  std::array<std::vector<double>, kParts> times;
  for (const TimedRun& run : runs) {
    const double part = end > 0 ? run.start_s / end * kParts : 0;
    times[std::min(kParts - 1, static_cast<std::size_t>(part))].push_back(run.ms);
  }
  for (std::size_t i = 0; i < kParts; ++i) {
    if (times[i].empty()) continue;
    const double step = end / kParts;
    result.parts.push_back({step * static_cast<double>(i), step * static_cast<double>(i + 1), times[i].size(),
                            quantile(times[i], 0.5), 1});
  }
  const auto [fastest, slowest] =
      std::ranges::minmax_element(result.parts, {}, &SpeedOverTime::Part::median_ms);
  if (fastest->median_ms > 0) result.slowest_to_fastest = slowest->median_ms / fastest->median_ms;
  for (SpeedOverTime::Part& part : result.parts) {
    if (part.median_ms > 0) part.speed = result.parts[0].median_ms / part.median_ms;
  }
  return result;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

}  // namespace tensordsl::cli
