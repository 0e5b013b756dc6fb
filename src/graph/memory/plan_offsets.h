// a 8: [1, 3], b 4: [3, 5], c 6: [5, 7]   ->   slot 0 of 12: a at 0, b at 8, c at 0
#pragma once

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// Plans offsets of tensors in one slot: they are placed one after the other in the smallest gap between
/// those placed before that are needed at the same time. Tries several orders, by size, by the steps that
/// need most, by time and others, and takes the best plan. If a slot would be too large, another one begins.
/// Source: Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference, offset calculation.
MemoryPlan plan_offsets(const std::vector<Lifetime>& lives, const MemoryLimits& limits);

}  // namespace tensordsl::graph
