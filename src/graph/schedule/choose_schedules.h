// Needs: a group with layouts.  Gives: a strategy, a point of it, and constants in the layouts that these
// want.
#pragma once

#include <vector>

#include "graph/stages/scheduled_group.h"

namespace tensordsl::graph {

/// Returns the first of them that applies, at the point that it takes without a trial. Needs: one that
/// applies.
ChosenSchedule first_schedule(const std::vector<const schedules::Strategy*>& strategies,
                              const StoredGroup& group, const Target& target);

/// Returns first_schedule() of all strategies. `is_refused`: a device has refused that; the one that stands
/// in for it is taken, if there is one.
ChosenSchedule choose_schedule(const StoredGroup& group, const Target& target, bool is_refused = false);

/// Writes the layouts that the schedule wants into the group's constants.
void store_constants_as_wanted(StoredGroup& group, const ChosenSchedule& schedule);

/// Gives Inputs and outputs their layouts and extents, and schedules all Funcs of the group.
void apply_schedule(StoredGroup& group, const ChosenSchedule& schedule, const Target& target);

}  // namespace tensordsl::graph
