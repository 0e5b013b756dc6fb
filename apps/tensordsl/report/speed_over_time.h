// Measures if the speed holds during a long run: devices that grow hot get slower.
#pragma once

#include <cstddef>
#include <vector>

namespace tensordsl::cli {

/// When a run began, in seconds since the first one did, how long it took, and how long its inputs took to be
/// written before.
struct TimedRun {
  double start_s = 0, ms = 0, write_ms = 0;
};

struct SpeedOverTime {
  /// A tenth of the time, with the runs that began in it.
  struct Part {
    double from_s = 0, to_s = 0;
    std::size_t runs = 0;
    double median_ms = 0;
    double speed = 1;  ///< against the first part: under 1 is slower
  };
  std::vector<Part> parts;        ///< parts of the time; parts in which no run began are left out
  double slowest_to_fastest = 1;  ///< medians of parts
  double speed_at_end() const { return parts.empty() ? 1 : parts.back().speed; }
};

/// Analyzes `runs`, which are in the order in which they began, one after the other.
SpeedOverTime speed_over_time(const std::vector<TimedRun>& runs);

/// The value that a share q of the values is not above.
double quantile(std::vector<double> values, double q);

}  // namespace tensordsl::cli
