// The times of a model's kernels, one by one and together, as all reports of autoschedule tell them.
#pragma once

#include <cstddef>
#include <string>

#include "tensordsl/autoschedule.h"

namespace tensordsl::tune {

/// Returns the measured microseconds of a launch, or the predicted ones of a kernel that was not timed; 0 if
/// there is neither.
double reported_us(const AutoscheduledKernel& kernel);
/// Returns the same of the untuned default.
double reported_first_us(const AutoscheduledKernel& kernel);

/// Sums of times, each multiplied by the kernel's launches.
struct TuningTotals {
  /// True: they are sums of measured times, and leave out kernels that were not timed. False: no kernel was
  /// timed, and they are sums of predictions.
  bool is_timed = false;
  std::size_t kernels = 0, of_kernels = 0;  ///< kernels in the sums, of all
  double us = 0, first_us = 0;              ///< first_us: of the untuned defaults

  bool includes(const AutoscheduledKernel& kernel) const { return !is_timed || kernel.us; }
  /// "3 of 5 kernels timed", "all 5 kernels timed", "1 kernel timed"; "predicted" in place of "timed".
  std::string title() const;
};

TuningTotals totals_of(const AutoscheduleReport& report);

}  // namespace tensordsl::tune
