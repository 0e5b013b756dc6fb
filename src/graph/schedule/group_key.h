// What makes two groups one kernel.
#pragma once

#include <string>

#include "definitions/stored_group.h"
#include "graph/schedule/choose_schedules.h"

namespace tensordsl::graph {

/// A text that is the same for groups that differ in names alone: definitions with canonical names, types,
/// extents and layouts of what is stored. Target, device and options are not in it. Needs: layouts.
std::string group_key(const StoredGroup& group);

/// The same with strategy and point. Needs: a group with its schedule chosen.
std::string group_key(const StoredGroup& group, const ChosenSchedule& schedule);

}  // namespace tensordsl::graph
