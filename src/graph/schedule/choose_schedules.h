// a group of a convolution   ->   tiled_reduction at lanes 4, pixels 8; its weights in blocks of four
// channels
//
// Needs: a group with layouts.  Gives: a strategy, a configuration of it, and constants stored as these want.
#pragma once

#include <optional>
#include <vector>

#include "graph/stages/fallbacks.h"
#include "graph/stages/scheduled_group.h"

namespace tensordsl::graph {

/// Returns the first of them that applies, with its default configuration, which needs no trial. Needs: one
/// that applies.
GroupSchedule first_schedule(const std::vector<const schedules::Strategy*>& strategies,
                             const definitions::StoredGroup& group, const Target& target);

/// Returns first_schedule() of all strategies.
GroupSchedule choose_schedule(const definitions::StoredGroup& group, const Target& target);

/// Returns the first schedule of the strategies that a device has not refused; the fallback that a refused
/// one names comes before the others. Returns nothing if no strategy that applies is left.
std::optional<GroupSchedule> choose_other_schedule(const definitions::StoredGroup& group,
                                                   const Target& target,
                                                   const Fallbacks::Strategies& refused);

/// Writes the layouts that the schedule wants into the group's constants.
void store_constants_as_wanted(definitions::StoredGroup& group, const GroupSchedule& schedule);

/// Gives Inputs and outputs their layouts and extents, and schedules all Funcs of the group.
void apply_schedule(definitions::StoredGroup& group, const GroupSchedule& schedule, const Target& target);

}  // namespace tensordsl::graph
