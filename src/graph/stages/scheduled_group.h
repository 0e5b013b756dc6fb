// A group with its strategy and a configuration from its space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "definitions/stored_group.h"
#include "schedules/support/strategy.h"

namespace tensordsl::graph {

/// A schedule of a group, run or not: the compiler's default, a search's proposal, or a record's. Predictions
/// and measurements of one are in search::Trial.
struct GroupSchedule {
  const schedules::Strategy* strategy = nullptr;
  schedules::Point point;
};

/// Schedules by the structure of a group: graph/schedule/group_key.h.
using ScheduleChoices = std::map<std::string, GroupSchedule>;

/// A group on its way to kernels.
struct ScheduledGroup {
  definitions::StoredGroup group;
  Target target;  ///< target of the schedule
  GroupSchedule schedule;
  std::string key;         ///< graph/schedule/group_key.h
  std::string refusal;     ///< why the host shall compute it; empty: kernels do
  std::string nodes;       ///< names of the nodes that it computes, for errors
  std::int64_t flops = 0;  ///< operations of the definition: a schedule may rewrite a sum
  std::optional<std::size_t> overwritten =
      std::nullopt;              ///< graph/schedule/choose_in_place.h; in the key too
  bool is_better_apart = false;  ///< CompileOptions::better_apart says so
  bool is_tuned = false;         ///< the schedule is from trials or from the caller
  bool is_priced = false;        ///< the schedule has a lower price than the default

  /// Returns a text that is equal for groups of which one kernel, or one step of the host, serves all.
  std::string identity() const { return key + refusal; }
};

}  // namespace tensordsl::graph
