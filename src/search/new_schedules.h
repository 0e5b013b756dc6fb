// proposed schedules -> those that are worth a trial
#pragma once

#include <set>
#include <string>
#include <vector>

#include "search/explorer.h"

namespace tensordsl::search {

/// Collects up to `count` schedules, each once, none that is known or refused.
class NewSchedules {
 public:
  NewSchedules(const SearchView& view, std::size_t count) : view_(view), count_(count) {}

  bool is_full() const { return schedules_.size() >= count_; }
  /// In their order, as far as there is room.
  void add(const std::vector<graph::GroupSchedule>& schedules);
  /// Any of the space, in its order.
  void add_any();
  std::vector<graph::GroupSchedule> take() { return std::move(schedules_); }

 private:
  const SearchView& view_;
  std::size_t count_;
  std::set<std::string> seen_;
  std::vector<graph::GroupSchedule> schedules_;
};

/// Asks `draw` for schedules until they are full. Where it comes up with nothing new for long, whatever else
/// is in a small space is as good.
void fill(NewSchedules& schedules, std::size_t at_once, const std::function<graph::GroupSchedule()>& draw);

}  // namespace tensordsl::search
