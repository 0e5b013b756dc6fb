// Predicts the time of a kernel from its text and the figures of a device, without a trial.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "predict/device_figures.h"
#include "predict/kernel_work.h"

namespace tensordsl::predict {

/// The error of a prediction relative to another of the same group: one that is less by no more than this is
/// not known to be faster.
inline constexpr double kModelError = 0.15;
/// A schedule that is predicted to take more times as long as the best is not worth a search or a trial.
inline constexpr double kHopelesslySlow = 3;

/// Predicted time of one launch, in microseconds.
struct Prediction {
  double us = 0;
  /// Lower bounds of the time, each for one resource: "instructions", "waits", "local memory", a cache,
  /// "memory".
  std::vector<std::pair<std::string, double>> bounds;
  double groups_of_unit = 0;     ///< work-groups that are resident on a unit
  double rounds = 0;             ///< waves of them, on the unit that has most work-groups
  double spilled_registers = 0;  ///< registers that a work-item spills

  const std::pair<std::string, double>& largest_bound() const;
};

/// Predicts the time of a kernel by a model of a unit that issues instructions of its resident work-groups,
/// and waits if none of them can continue; of caches that keep the footprint of an iteration; and of waves of
/// work-groups. The cost of the launch itself is left out.
Prediction predict_kernel(const KernelWork& work, const DeviceFigures& device);

/// Counts a kernel's work with the device's warp and line sizes.
KernelWork count_work(const lower::LoweredKernel& kernel, const DeviceFigures& device);

}  // namespace tensordsl::predict
