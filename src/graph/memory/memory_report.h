// Reports the memory of a Program's intermediates, and the plans of all planners for it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/memory/memory_plan.h"
#include "tensordsl/program.h"

namespace tensordsl::graph {

struct MemoryReport {
  std::string planner;  ///< planner with the best plan
  /// Planned bytes of each planner that ran.
  std::vector<std::pair<std::string, std::int64_t>> planned_bytes;
  std::int64_t lower_bound = 0;  ///< the least bytes of any plan
};

/// Reports the buffers that share slots in a Program with these limits.
MemoryReport report_memory(const Program& program, const MemoryLimits& limits);

}  // namespace tensordsl::graph
