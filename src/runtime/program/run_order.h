// launch, launch, count n, loop { launch }   ->   launches [0, 2), count 0, loop 0 { launches [2, 3) }
#pragma once

#include <cstddef>
#include <vector>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// A step of a Runner: work that it starts at once.
struct RunStep {
  enum class Kind { Launches, Count, Host, Loop };
  Kind kind = Kind::Launches;
  /// Range of the step. For launches: [first, last). For a count or a host step: number `first` of the
  /// Program's. For a loop: number `first` of the Program's, whose body is the following steps up to step
  /// `last`.
  std::size_t first = 0, last = 0;
};

/// Returns the steps in order. All launches form one step if nothing is between them. The last step has
/// launches, perhaps none. Throws Error if the Program's counts, host steps or loops are not in the order of
/// its launches.
std::vector<RunStep> run_order(const Program& program);

}  // namespace tensordsl::runtime
