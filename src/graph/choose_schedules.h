// Needs: a group with layouts.  Gives: a strategy, a point of it, and constants in the layouts that these
// want.
#pragma once

#include <map>
#include <string>

#include "definitions/group.h"
#include "schedules/strategy.h"

namespace tensordsl {

struct ChosenSchedule {
  const schedules::Strategy* strategy = nullptr;
  schedules::Point point;
};

/// By the structure of a group: graph/group_key.h.
using ScheduleChoices = std::map<std::string, ChosenSchedule>;

/// The first strategy that applies, at the point that it takes without a trial. `is_refused`: a device has
/// refused that; the one that stands in for it is taken, if there is one.
ChosenSchedule choose_schedule(const Group& group, const Target& target, bool is_refused = false);

/// Writes the layouts that the schedule wants into the group's constants.
void store_constants_as_wanted(Group& group, const ChosenSchedule& schedule);

/// Gives Inputs and outputs their layouts and extents, and schedules all Funcs of the group.
void apply_schedule(Group& group, const ChosenSchedule& schedule, const Target& target);

}  // namespace tensordsl
