// Repeated measurements of one quantity over the values of a parameter, and their confidence.
#pragma once

#include <vector>

namespace tensordsl::hwprofile {

/// A sweep is repeated in rounds, each of which visits every point, so that a clock that drifts, or a
/// neighbor that wakes up, meets all points alike.
struct Sweep {
  std::vector<double> points;               ///< values of the parameter, ascending
  std::vector<std::vector<double>> rounds;  ///< rounds[r][i]: the measurement at points[i], over 0

  friend bool operator==(const Sweep&, const Sweep&) = default;
};

/// A median with the interval that it is in at 95 %.
struct Estimate {
  double median = 0;
  double low = 0, high = 0;
};

/// True if the interval is within about 10 % of the median, as for a confident figure.
inline bool is_known(const Estimate& estimate) {
  return estimate.high - estimate.low <= 0.2 * estimate.median;
}

/// Returns the median and its interval by order statistics: no distribution is assumed. For fewer than nine
/// samples the interval covers all of them. Throws Error if there is none.
Estimate estimate(std::vector<double> samples);

/// Returns the sweep without the drift that all points of a round share: each round is divided by the median
/// of its ratios to the medians of all rounds. With fewer than five points, the drift cannot be separated
/// from their noise, and stays.
Sweep without_drift(const Sweep& sweep);

/// Returns the ratio of the samples at point `a` to those at point `b`, round by round: drift cancels.
Estimate ratio(const Sweep& sweep, std::size_t a, std::size_t b);

/// Checks that a sweep has `points` points in ascending order, at least one round, one sample of each point
/// in every round, and only finite samples over 0. Throws Error, which begins with `call`, otherwise.
void check_sweep(const char* call, const Sweep& sweep, std::size_t points);

/// Returns the estimate of each point, over all rounds, after the drift is removed.
std::vector<Estimate> estimates(const Sweep& sweep);

/// Returns the standard deviation of the logarithm of one sample, without outliers: 1.4826 times the median
/// distance from the point's median. It is at least 0.1 %, which no timer resolves.
double relative_noise(const Sweep& sweep);

}  // namespace tensordsl::hwprofile
