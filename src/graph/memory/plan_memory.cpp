#include "graph/memory/plan_memory.h"

#include <numeric>

#include "graph/memory/memory_lower_bound.h"
#include "graph/memory/plan_flow.h"
#include "graph/memory/plan_greedy.h"
#include "graph/memory/plan_naive.h"
#include "graph/memory/plan_offsets.h"

namespace tensordsl::graph {

std::int64_t MemoryPlan::total_bytes() const {
  return std::accumulate(slot_bytes.begin(), slot_bytes.end(), std::int64_t{0});
}

const std::vector<MemoryPlanner>& memory_planners() {
  static const std::vector<MemoryPlanner> planners{{"naive", plan_naive},
                                                   {"greedy", plan_greedy},
                                                   {"flow", plan_flow, kMostFlowTensors},
                                                   {"offsets", plan_offsets, SIZE_MAX, true}};
  return planners;
}

ChosenPlan plan_memory(const std::vector<Lifetime>& lives, const MemoryLimits& limits) {
  const std::int64_t least = memory_lower_bound(lives);
  ChosenPlan best;
  for (const MemoryPlanner& planner : memory_planners()) {
    if (lives.size() > planner.most_tensors || (planner.has_offsets && !limits.allows_offsets)) continue;
    MemoryPlan plan = planner.plan(lives, limits);
    if (best.planner.empty() || plan.total_bytes() < best.plan.total_bytes())
      best = {planner.name, std::move(plan)};
    if (best.plan.total_bytes() == least) break;
  }
  return best;
}

}  // namespace tensordsl::graph
