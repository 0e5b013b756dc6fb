// Writes a timeline of a run for Perfetto and chrome://tracing.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tensordsl/param_value.h"
#include "tensordsl/program.h"
#include "tensordsl/runner.h"

namespace tensordsl::cli {

/// A step of the command.
struct HostPhase {
  std::string name;
  std::chrono::steady_clock::time_point begin, end;
};

struct Timeline {
  std::string command, device;
  std::vector<HostPhase> phases;         ///< phases in the order of time; the first begins the timeline
  std::vector<LaunchInterval> launches;  ///< launches of one run, one interval for each launch of the program
  /// When the host saw that the last launch was over. The device has a clock of its own, which is set so that
  /// it ended then.
  std::chrono::steady_clock::time_point launches_end;
};

/// True if launches follow one another: some drivers give all of them the same time.
bool are_in_order(const std::vector<LaunchInterval>& launches);

/// JSON in the Trace Event Format: the steps are one thread, the launches another.
std::string to_trace_events(const Timeline& timeline, const Program& program, const ParamValues& params);

}  // namespace tensordsl::cli
