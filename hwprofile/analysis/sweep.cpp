#include "hwprofile/analysis/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kLeastSample = 1e-30;  // smallest sample, in any unit

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::vector<double> samples_at(const Sweep& sweep, std::size_t point) {
  std::vector<double> samples;
  for (const auto& round : sweep.rounds) samples.push_back(round.at(point));
  return samples;
}

}  // namespace

Estimate estimate(std::vector<double> samples) {
  if (samples.empty()) throw Error("estimate: there are no samples");
  std::sort(samples.begin(), samples.end());
  // The binomial distribution of how many samples are under the median, as a normal one with its correction
  // by half a step.
  const auto n = static_cast<double>(samples.size());
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor((n - 1.96 * std::sqrt(n) - 1) / 2)));
  const auto high = samples.size() - 1 - low;
  return {median_of(samples), samples[low], samples[high]};
}

Sweep without_drift(const Sweep& sweep) {
  constexpr std::size_t kLeastPoints = 5;
  if (sweep.rounds.size() < 2 || sweep.points.size() < kLeastPoints) return sweep;
  std::vector<double> medians;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) medians.push_back(median_of(samples_at(sweep, i)));
  Sweep result = sweep;
  for (auto& round : result.rounds) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < round.size(); ++i) ratios.push_back(round[i] / medians[i]);
    const double drift = median_of(std::move(ratios));
    for (double& sample : round) sample /= drift;
  }
  return result;
}

Estimate ratio(const Sweep& sweep, std::size_t a, std::size_t b) {
  std::vector<double> ratios;
  for (const auto& round : sweep.rounds) ratios.push_back(round.at(a) / round.at(b));
  return estimate(std::move(ratios));
}

void check_sweep(const char* call, const Sweep& sweep, std::size_t points) {
  const auto fail = [&](const std::string& what) { throw Error(fmt::format("{}: {}", call, what)); };
  if (sweep.points.size() < points || sweep.rounds.empty()) {
    fail(fmt::format("needs at least {} points and one round, found {} and {}", points, sweep.points.size(),
                     sweep.rounds.size()));
  }
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (!std::isfinite(sweep.points[i]) || (i > 0 && sweep.points[i] <= sweep.points[i - 1]))
      fail("the points must be finite and ascending");
  }
  for (const auto& round : sweep.rounds) {
    if (round.size() != sweep.points.size())
      fail(fmt::format("a round has {} samples for {} points", round.size(), sweep.points.size()));
    for (const double sample : round) {
      if (!(sample > kLeastSample && sample < 1 / kLeastSample))
        fail(fmt::format("a sample is {}; it must be positive", sample));
    }
  }
}

std::vector<Estimate> estimates(const Sweep& sweep) {
  const Sweep steady = without_drift(sweep);
  std::vector<Estimate> result;
  for (std::size_t i = 0; i < steady.points.size(); ++i) result.push_back(estimate(samples_at(steady, i)));
  return result;
}

double relative_noise(const Sweep& sweep) {
  const Sweep steady = without_drift(sweep);
  std::vector<double> distances;
  for (std::size_t i = 0; i < steady.points.size(); ++i) {
    const auto samples = samples_at(steady, i);
    const double middle = median_of(samples);
    for (const double s : samples) distances.push_back(std::abs(std::log(s / middle)));
  }
  constexpr double kOfNormal = 1.4826, kLeast = 1e-3;
  return distances.empty() ? kLeast : std::max(kLeast, kOfNormal * median_of(std::move(distances)));
}

}  // namespace tensordsl::hwprofile
