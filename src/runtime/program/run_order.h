// launch, launch, count n, loop { launch }   ->   launches [0, 2), count 0, loop 0 { launches [2, 3) }
#pragma once

#include <cstddef>
#include <vector>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// What a Runner does at once.
struct RunStep {
  enum class Kind { Launches, Count, Host, Loop };
  Kind kind = Kind::Launches;
  /// Launches: [first, last). A count, a host step: number `first` of the Program's. A loop: number `first`
  /// of the Program's, with the steps behind it up to step `last`.
  std::size_t first = 0, last = 0;
};

/// Nothing between launches makes one step of all of them. The last step is of launches, perhaps of none.
/// Throws Error if the Program's counts, host steps or loops are not in the order of its launches.
std::vector<RunStep> run_order(const Program& program);

}  // namespace tensordsl::runtime
