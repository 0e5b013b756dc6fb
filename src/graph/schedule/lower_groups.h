// ScheduledGroup   ->   LoweredGroup: a Program of its kernels, or the reason why it has none
// Needs: scheduled groups with their keys.  Gives: the Program of each, or why it has none; equal ones are
// lowered once.
#pragma once

#include <vector>

#include "graph/stages/graph.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::graph {

/// Schedules the group's Funcs, and returns the pipeline that its kernels are compiled of. Once for a group.
Pipeline pipeline_of(ScheduledGroup& scheduled);

/// One for each group, in order; equal groups share theirs. The result does not depend on the number of
/// threads. What a ScheduleError says of a group is its refusal: the device lacks what it takes, or there is
/// no form of it as kernels. Throws ModelError, which names the nodes, on definitions that cannot be lowered,
/// as of an operator of a user's that reads outside its inputs.
std::vector<LoweredGroup> lower_groups(std::vector<ScheduledGroup>& groups, const LoweringOptions& options);

/// Fills Graph::lowered.
void lower_groups(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
