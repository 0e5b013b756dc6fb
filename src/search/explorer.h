// Proposes the schedules to try next, from the trials so far.
#pragma once

#include <functional>
#include <vector>

#include "search/search_space.h"
#include "search/trial.h"

namespace tensordsl::search {

/// The state of a search, as an explorer sees it: it changes only between two calls.
struct SearchView {
  const SearchSpace& space;
  const std::vector<Trial>& trials;  ///< trials that have run, in their order
  /// Schedules to begin with, best first: the choice of the device's model.
  const std::vector<graph::GroupSchedule>& likely;
  /// Evaluates each distinct schedule once.
  std::function<std::vector<const Evaluation*>(const std::vector<graph::GroupSchedule>&)> evaluate;
  /// True if the schedule was run, or failed before, so that it need not be proposed.
  std::function<bool(const graph::GroupSchedule&)> is_known;
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Returns up to `count` distinct schedules that are neither known nor refused; fewer only if it finds no
  /// more.
  virtual std::vector<graph::GroupSchedule> propose(std::size_t count) = 0;
};

}  // namespace tensordsl::search
