// a: [1, 3], b: [5, 7]   ->   slot 0: a; slot 1: b
#pragma once

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// Gives each tensor a slot of its own. Source: TFLite GPU, section 5.
MemoryPlan plan_naive(const std::vector<Lifetime>& lives, const MemoryLimits& limits);

}  // namespace tensordsl::graph
