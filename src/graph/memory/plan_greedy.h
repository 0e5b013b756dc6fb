// a 8: [1, 3], b 4: [5, 7], c 2: [3, 5]   ->   slot 0 of 8: a, b; slot 1 of 2: c
#pragma once

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// Greedy by size: the largest choose first, each takes the smallest slot that is free for its whole life, at
/// offset 0. Source: TFLite GPU, section 5, whose greedy algorithm goes by steps; by size, and so with slots
/// that never grow, as in Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference.
MemoryPlan plan_greedy(const std::vector<Lifetime>& lives, const MemoryLimits& limits);

}  // namespace tensordsl::graph
