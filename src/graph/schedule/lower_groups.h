// Needs: scheduled groups with their keys.  Gives: the Program of each, or why it has none; equal ones are
// lowered once.
#pragma once

#include <vector>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// One for each group, in order; equal groups share theirs. The result does not depend on the number of
/// threads. What a ScheduleError says of a group is its refusal: the device lacks what it takes, or there is
/// no form of it as kernels. Throws ModelError, which names the nodes, on definitions that cannot be lowered,
/// as of an operator of a user's that reads outside its inputs.
std::vector<LoweredGroup> lower_groups(std::vector<ScheduledGroup>& groups, const LoweringOptions& options);

/// Fills Graph::lowered.
void lower_groups(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
