#include "graph/memory/memory_report.h"

#include "graph/memory/memory_lower_bound.h"
#include "graph/memory/plan_memory.h"
#include "graph/memory/share_memory.h"

namespace tensordsl::graph {

MemoryReport report_memory(const Program& program, const MemoryLimits& limits) {
  const std::vector<Lifetime> lives = shared_buffers(program).lives;
  MemoryReport report{plan_memory(lives, limits).planner, {}, memory_lower_bound(lives)};
  for (const MemoryPlanner& planner : memory_planners()) {
    if (lives.size() <= planner.most_tensors)
      report.planned_bytes.emplace_back(planner.name, planner.plan(lives, limits).total_bytes());
  }
  return report;
}

}  // namespace tensordsl::graph
