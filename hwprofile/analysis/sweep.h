// Measurements of one quantity over the values of a parameter, repeated, and what they are worth.
#pragma once

#include <vector>

namespace tensordsl::hwprofile {

/// A sweep is repeated in rounds, each of which visits every point, so that a clock that drifts, or a
/// neighbor that wakes up, meets all points alike.
struct Sweep {
  std::vector<double> points;               ///< values of the parameter, ascending
  std::vector<std::vector<double>> rounds;  ///< rounds[r][i]: what was measured at points[i], over 0

  friend bool operator==(const Sweep&, const Sweep&) = default;
};

/// A median with the interval that it is in at 95 %.
struct Estimate {
  double median = 0;
  double low = 0, high = 0;
};

/// Whether the interval is within 10 % of the median, about: what a confident figure is.
inline bool is_known(const Estimate& estimate) {
  return estimate.high - estimate.low <= 0.2 * estimate.median;
}

/// By order statistics: no distribution is assumed. Of fewer than nine samples the interval is all of them.
/// Throws Error if there is none.
Estimate estimate(std::vector<double> samples);

/// The same sweep without what a round has in common: each round is divided by the median of its ratios to
/// the medians of all rounds. Of fewer than five points what they have in common is as much their noise, and
/// stays.
Sweep without_drift(const Sweep& sweep);

/// Of the samples at point `a` over those at point `b`, round by round: what a round has in common does not
/// matter.
Estimate ratio(const Sweep& sweep, std::size_t a, std::size_t b);

/// Throws Error, in the name of `call`, unless there are `points` points that ascend, a round, one sample of
/// each point in every round, and all samples are finite and over 0.
void check_sweep(const char* call, const Sweep& sweep, std::size_t points);

/// Of each point, over all rounds; the drift goes first.
std::vector<Estimate> estimates(const Sweep& sweep);

/// Standard deviation of the logarithm of one sample, without outliers: 1.4826 times the median distance from
/// the point's median. Never under 0.1 %, which no timer resolves.
double relative_noise(const Sweep& sweep);

}  // namespace tensordsl::hwprofile
