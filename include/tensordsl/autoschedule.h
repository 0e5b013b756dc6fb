// Choosing the schedules of a whole model: by a model of the device, and by trials of its best choices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl {

struct AutoscheduleOptions {
  /// Ways to run each kernel that are timed, the best by the model, of different strategies first. 0: none is
  /// timed, and what the model says is taken.
  int tries = 0;
  /// Where they are timed. Null: nothing is, whatever `tries` says.
  Device* device = nullptr;
  /// Told after each kernel, with its name.
  std::function<void(const std::string& kernel, int done, int total)> progress{};
};

/// What was chosen for equal kernels of a model.
struct AutoscheduledKernel {
  std::string operators;  ///< "Conv+Relu"
  std::string kernel;     ///< the first of its entries
  int launches = 1;       ///< of the model, that are computed so
  std::string strategy, point;
  std::string first;  ///< strategy and point that are taken where nobody looks; empty: the same
  double predicted_us = 0, first_predicted_us = 0;
  std::optional<double> us, first_us;  ///< medians, where it was timed
  std::int64_t flops = 0;              ///< that the definitions ask for, 0 if not known
  /// Flops at the device's peak, or bytes at that of the nearest memory with room for them, whichever takes
  /// longer.
  double floor_us = 0;
  int timed = 0;                      ///< candidates
  std::vector<std::string> failures;  ///< of candidates that were built: what went wrong
};

struct AutoscheduleReport {
  std::vector<AutoscheduledKernel> kernels;  ///< in the model's order
  std::vector<std::string> guessed;          ///< figures of the device that its profile does not tell
};

}  // namespace tensordsl
