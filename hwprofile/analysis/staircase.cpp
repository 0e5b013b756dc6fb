#include "hwprofile/analysis/staircase.h"

#include <cmath>
#include <vector>

namespace tensordsl::hwprofile {
namespace {

constexpr int kWidest = 256;

/// Returns the mean square of the residuals of a line through (x, y), relative to y; infinite if the line
/// would fall.
double line_misfit(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = 1 / (y[i] * y[i]);
    n += w;
    sx += w * x[i];
    sy += w * y[i];
    sxx += w * x[i] * x[i];
    sxy += w * x[i] * y[i];
  }
  const double determinant = n * sxx - sx * sx;
  if (determinant <= 1e-12 * n * sxx) return INFINITY;
  const double slope = (n * sxy - sx * sy) / determinant, base = (sy - slope * sx) / n;
  if (slope <= 0) return INFINITY;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double left = (y[i] - base - slope * x[i]) / y[i];
    sum += left * left;
  }
  return sum / static_cast<double>(x.size());
}

}  // namespace

std::optional<Measurement> find_step_width(const Sweep& sweep) {
  check_sweep("find_step_width", sweep, 4);
  std::vector<double> y;
  for (const Estimate& e : estimates(sweep)) y.push_back(e.median);
  // Residual of a perfect fit: the noise of the medians, and the laws' own error.
  const double noise = relative_noise(sweep) * std::sqrt(1.5708 / static_cast<double>(sweep.rounds.size()));
  const double variance = noise * noise + 1e-4;
  double best = INFINITY, second = INFINITY, line = INFINITY;
  int width = 0;
  for (int w = 1; w <= kWidest; w *= 2) {
    std::vector<double> steps;
    for (const double p : sweep.points) steps.push_back(w == 1 ? p : std::ceil(p / w));
    const double left = line_misfit(steps, y) * static_cast<double>(y.size()) / variance;
    if (w == 1) line = left;
    if (left < best) {
      second = best;
      best = left;
      width = w;
    } else if (left < second) {
      second = left;
    }
  }
  // Differences of sums of squares over their variance: 20 is far beyond chance.
  constexpr double kFarBeyondChance = 20;
  if (width <= 1 || line - best < kFarBeyondChance) return std::nullopt;
  const bool is_clear = second - best > kFarBeyondChance && best < 3 * static_cast<double>(y.size());
  const double value = width;
  return Measurement{value, is_clear ? value : value / 2, is_clear ? value : value * 2, is_clear};
}

}  // namespace tensordsl::hwprofile
