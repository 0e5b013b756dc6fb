// FusedGroup -> StoredGroup -> ScheduledGroup: Funcs, layouts, a strategy and a configuration of its own
#pragma once

#include <memory>

#include "graph/schedule/cheapest_schedule.h"
#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Returns a group with Funcs of its own, the planned layouts, dimensions merged and views staged: the input
/// of strategies. `place`: the group's index in Graph::groups.
definitions::StoredGroup prepared_group(const Graph& graph, const definitions::TensorFuncs& funcs,
                                        std::size_t place, Precision precision, const Target& target);

/// Applies `schedule` to a group from prepared_group(), whose index in Graph::groups is `place`.
ScheduledGroup scheduled_group(const Graph& graph, std::size_t place, definitions::StoredGroup group,
                               const Target& target, const GroupSchedule& schedule);

/// Returns the search that compilation with these options uses; null if schedules have no price.
std::unique_ptr<CheapestSchedules> priced_schedules(const CompileOptions& options);

/// Returns all groups with their schedules. Works on all cores. Without `cheapest`, each has the default
/// configuration of the first strategy that applies.
std::vector<ScheduledGroup> scheduled_groups(const Graph& graph, const CompileOptions& options,
                                             CheapestSchedules* cheapest = nullptr);

/// Fills Graph::scheduled.
void schedule_groups(Graph& graph, const GraphContext& context);

/// Returns one of them.
ScheduledGroup schedule_group(const Graph& graph, const definitions::TensorFuncs& funcs, std::size_t place,
                              const CompileOptions& options, CheapestSchedules* cheapest = nullptr);

}  // namespace tensordsl::graph
