// ScheduledGroup   ->   LoweredGroup: a Program of its kernels, or the reason why it has none
// Needs: scheduled groups with their keys.  Gives: the Program of each, or why it has none; groups with equal
// keys are lowered once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "graph/stages/graph.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::graph {

/// Schedules the group's Funcs, and returns the pipeline that its kernels are compiled of. Call it once for a
/// group. `disabled_passes`: passes of lowering that are left out.
Pipeline pipeline_of(ScheduledGroup& scheduled, const std::set<std::string>& disabled_passes = {});

/// Lowers each group, in order; equal groups share the result, which does not depend on the number of
/// threads. A ScheduleError becomes the group's refusal: the device lacks a resource, or there are no kernels
/// for it. Throws ModelError, which names the nodes, on definitions that cannot be lowered, such as a user's
/// operator that reads outside its inputs.
std::vector<LoweredGroup> lower_groups(std::vector<ScheduledGroup>& groups, const LoweringOptions& options);

/// Fills Graph::lowered.
void lower_groups(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
