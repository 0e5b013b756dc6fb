#include "hwprofile/analysis/first_step.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tensordsl::hwprofile {
namespace {

constexpr double kLeastLeap = 1.25;
constexpr double kFlat = 0.2;          // relative error of the law itself
constexpr double kWindow = 1.3;        // largest ratio of points to the step that locate it
constexpr std::size_t kFewPoints = 5;  // points beyond it that do so wherever they are
constexpr double kSecondStep = 2.6;    // a larger rise is two steps
constexpr double kOneDegree = 3.84;    // chi squared of one degree of freedom, 95 %

double mean(const std::vector<double>& y, std::size_t first, std::size_t end) {
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) sum += y[i];
  return sum / static_cast<double>(end - first);
}

/// Returns the misfit of two constants, one up to `last`, one beyond.
double step_misfit(const std::vector<double>& y, std::size_t first, std::size_t last, std::size_t end) {
  const double low = mean(y, first, last + 1), high = mean(y, last + 1, end);
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) {
    const double left = y[i] - (i <= last ? low : high);
    sum += left * left;
  }
  return sum;
}

double median(std::vector<double> values) { return estimate(std::move(values)).median; }

}  // namespace

std::optional<Measurement> find_first_step(const Sweep& sweep) {
  const std::vector<double>& x = sweep.points;
  check_sweep("find_first_step", sweep, 4);
  std::vector<double> y;  // logarithms
  for (const Estimate& e : estimates(sweep)) y.push_back(std::log(e.median));
  const double noise = relative_noise(sweep) * std::sqrt(1.5708 / static_cast<double>(sweep.rounds.size()));
  const auto n = y.size();
  const auto is_flat_until = [&](std::size_t last) {
    const double level = median({y.begin(), y.begin() + static_cast<std::ptrdiff_t>(last) + 1});
    const auto off = std::count_if(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                   [&](double v) { return std::abs(v - level) > kFlat + 3 * noise; });
    return static_cast<double>(off) <= 0.1 * static_cast<double>(last + 1);
  };
  // Finds the first leap, by the medians of the three points on each side.
  std::optional<std::size_t> rough;
  for (std::size_t last = 0; last + 1 < n && !rough; ++last) {
    const auto at = [&](std::size_t i) { return y.begin() + static_cast<std::ptrdiff_t>(i); };
    const double below = median({at(last >= 2 ? last - 2 : 0), at(last + 1)});
    const double above = median({at(last + 1), at(std::min(last + 4, n))});
    if (above - below > std::log(kLeastLeap) + 3 * noise) rough = last;
  }
  if (!rough || !is_flat_until(*rough)) return std::nullopt;
  // Refines the step: two constants around it.
  std::size_t first = *rough, end = *rough + 2;
  while (first > 0 && (first == *rough || x[first - 1] * kWindow >= x[*rough])) --first;
  while (end < n && (end < *rough + kFewPoints || x[end] <= x[*rough] * kWindow) &&
         y[end] < y[*rough] + std::log(kSecondStep))
    ++end;
  std::size_t best = first;
  for (std::size_t last = first; last + 1 < end; ++last) {
    if (step_misfit(y, first, last, end) < step_misfit(y, first, best, end)) best = last;
  }
  const double left = step_misfit(y, first, best, end);
  const double variance = std::max(noise * noise, left / static_cast<double>(end - first));
  std::size_t lowest = best, highest = best;
  for (std::size_t last = first; last + 1 < end; ++last) {
    if (step_misfit(y, first, last, end) > left + kOneDegree * variance) continue;
    lowest = std::min(lowest, last);
    highest = std::max(highest, last);
  }
  const double leap = mean(y, best + 1, end) - mean(y, first, best + 1);
  if (leap < std::log(kLeastLeap) || !is_flat_until(best)) return std::nullopt;
  // Values between the last point that fits and the next one were not measured; counts without a gap have
  // none.
  const double reach = std::max(x[highest], std::ceil(x[highest + 1]) - 1);
  return Measurement{x[best], x[lowest], reach, reach <= 1.1 * x[lowest]};
}

std::optional<Measurement> find_first_beyond(const Sweep& sweep) {
  const auto last = find_first_step(sweep);
  if (!last) return std::nullopt;
  const auto next = [&](double point) {
    return *std::upper_bound(sweep.points.begin(), sweep.points.end(), point);
  };
  const double value = next(last->value),
               high = last->high < value ? value : next(std::min(last->high, sweep.points.end()[-2]));
  return Measurement{value, next(last->low), high, next(last->low) == value && high == value};
}

std::vector<double> points_around_step(const std::function<double(double)>& cost, double most) {
  constexpr double kLeap = 1.35;
  constexpr int kTries = 3;
  const auto tried = [&](double point) {
    std::vector<double> samples;
    for (int i = 0; i < kTries; ++i) samples.push_back(cost(point));
    return estimate(std::move(samples)).median;
  };
  const double one = tried(1);
  std::vector<double> points{1};
  double flat = 1, leapt = 0;
  for (double point = std::min(2.0, most); point > flat && leapt == 0; point = std::min(2 * point, most)) {
    (tried(point) > kLeap * one ? leapt : flat) = point;
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
      if (point >= std::max(1.0, (1 - kAround) * flat - 2) &&
          point <= std::min(most, (1 + kAround) * flat + 3))
        points.push_back(point);
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace tensordsl::hwprofile
