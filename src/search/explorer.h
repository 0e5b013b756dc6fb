// Which schedule to try next, from what was seen so far.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/search_space.h"

namespace tensordsl::search {

/// By name, what may tell fast schedules from slow ones before they have run.
using Features = std::map<std::string, double>;

/// What is said of a schedule without running it.
struct Look {
  /// Why it is not to be run: the directives refuse it, it does not fit, or pruning leaves it out. Empty: it
  /// may be.
  std::string refusal;
  double predicted_us = 0;
  Features features;
};

/// A schedule that was run.
struct Trial {
  ChosenSchedule schedule;
  std::optional<double> us;  ///< none: it failed
};

/// What an explorer knows: it changes only between two calls.
struct SearchView {
  const SearchSpace& space;
  const std::vector<Trial>& trials;  ///< in their order
  /// Schedules, best first, to begin with: what the model of the device takes.
  const std::vector<ChosenSchedule>& likely;
  /// Of each schedule; equal ones are looked at once.
  std::function<std::vector<const Look*>(const std::vector<ChosenSchedule>&)> look;
  /// Whether it was run, or failed before, so that nobody needs to propose it.
  std::function<bool(const ChosenSchedule&)> is_known;
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Up to `count` different ones that are not known and not refused. Fewer: it finds no more.
  virtual std::vector<ChosenSchedule> propose(std::size_t count) = 0;
};

}  // namespace tensordsl::search
