// Programs for one kernel, built, checked and timed against each other in this process.
#pragma once

#include <functional>
#include <vector>

#include "measure/measurer.h"
#include "tensordsl/device.h"

namespace tensordsl::measure {

struct Timing {
  /// Built one after the other: so that it is known which one a driver does not survive.
  bool one_by_one = false;
  /// Called before a step that may end or hang the process, with the program's index.
  std::function<void(std::size_t program, const char* doing)> progress{};
  MeasureHooks hooks{};
};

struct TimedPrograms {
  std::vector<Measured> programs;
  /// True if the device failed during a run: later results are unreliable, and another process must run the
  /// programs that have neither a time nor a failure.
  bool is_device_lost = false;
};

/// Times candidates in turns, so that a slowdown of the device affects all of them. Candidates that are
/// clearly slower than the first or the best leave early.
TimedPrograms measure_candidates(const Request& request, Device& device, const Timing& timing = {});

}  // namespace tensordsl::measure
