// Measures the schedules of a convolution, those that pruning keeps, and how good the best of these is.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::bench {

/// A padded convolution of `size` x `size` pixels, f32.
struct SpaceOptions {
  std::string profile;  ///< a file or a bundled one; empty: the device's own profile
  std::int64_t size = 28, inputs = 256, outputs = 256, kernel = 1, stride = 1;
  int random = 0;      ///< configurations that are drawn from the whole space and timed
  int lowered = 12;    ///< the best of a strategy's configurations that the static resource estimate keeps:
                       ///< these are lowered
  int survivors = 16;  ///< number of configurations, the best by the model, that are timed against the random
                       ///< ones
};

struct SpaceResult {
  std::int64_t points = 0, unfit = 0;  ///< configurations of all strategies, and those that do not fit
  std::int64_t outlined = 0;           ///< configurations that are kept before anything is lowered
  std::int64_t lowered = 0, kept = 0;  ///< configurations that are lowered, and those whose kernels are kept
                                       ///< too
  double seconds = 0;                  ///< duration of the choice
  int timed = 0;                       ///< random configurations that ran
  std::optional<double> best_random_us, best_survivor_us;
  std::string best_random, best_survivor;

  /// The share of all configurations that were kept; those that were not lowered count as kept.
  double kept_share() const {
    const std::int64_t left = kept + std::max<std::int64_t>(0, outlined - lowered);
    return points > 0 ? static_cast<double>(left) / static_cast<double>(points) : 0;
  }
};

/// Counts the schedules that pruning keeps for one convolution and, on `device`, compares the fastest of them
/// with random schedules. Null `device`: nothing is timed.
SpaceResult run_space(const SpaceOptions& options, Device* device);

nlohmann::ordered_json to_json(const SpaceResult& result);
std::string to_text(const SpaceResult& result);

}  // namespace tensordsl::bench
