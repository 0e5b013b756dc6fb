#include "hwprofile/analysis/tick.h"

#include <algorithm>
#include <cmath>

namespace tensordsl::hwprofile {
namespace {

/// A tick near `guess` that the values up to some limit are multiples of, the limit growing as the tick
/// becomes known better.
double refined(const std::vector<double>& values, double guess) {
  double tick = guess;
  for (double limit = 8 * guess; limit < 16 * values.back(); limit *= 2) {
    double products = 0, squares = 0;
    for (const double v : values) {
      if (v > limit) break;
      const double count = std::round(v / tick);
      products += count * v;
      squares += count * count;
    }
    if (squares > 0) tick = products / squares;
  }
  return tick;
}

/// True if all are multiples, up to rounding to whole numbers.
bool divides(double tick, const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](double v) { return std::abs(v - tick * std::round(v / tick)) <= 1.01; });
}

}  // namespace

std::optional<Measurement> find_tick(const std::vector<double>& nanoseconds) {
  std::vector<double> values = nanoseconds;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 3 || values.front() < 1 || !std::isfinite(values.back())) return std::nullopt;
  double least = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) least = std::min(least, values[i] - values[i - 1]);
  // Rounding hides a tick under three nanoseconds; the clock then seems as fine as its figures.
  constexpr int kMaxParts = 1000;  // most parts of the least difference that was measured
  double found = 1;
  for (int parts = 1; parts <= kMaxParts && least / parts >= 3; ++parts) {
    const double tick = refined(values, least / parts);
    if (tick < 3 || !divides(tick, values)) continue;
    found = tick;
    break;
  }
  return Measurement{found, found, found, values.size() >= 20};
}

}  // namespace tensordsl::hwprofile
