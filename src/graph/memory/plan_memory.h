// Lifetimes   ->   the plan of the best planner
#pragma once

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// Returns the planners, the simplest first: naive, greedy, flow, offsets.
const std::vector<MemoryPlanner>& memory_planners();

struct ChosenPlan {
  std::string planner;
  MemoryPlan plan;
};

/// Returns the plan with the fewest bytes; of equal plans, the simplest planner's. A planner is left out if
/// there are too many tensors for it, if it has offsets where none are allowed, or if one before it needs no
/// more than the lower bound.
ChosenPlan plan_memory(const std::vector<Lifetime>& lives, const MemoryLimits& limits = {});

}  // namespace tensordsl::graph
