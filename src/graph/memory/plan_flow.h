// a 8: [1, 3], b 4: [5, 7], c 8: [5, 9]   ->   slot 0 of 8: a, c; slot 1 of 4: b
#pragma once

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// The most tensors for plan_flow: it has an edge for each two that may follow each other, and finds a
/// shortest path for each tensor, which takes the third power of their number.
constexpr std::size_t kMostFlowTensors = 320;

/// Plans slots as a minimum-cost flow: a tensor either begins a slot, at the cost of its bytes, or takes over
/// the slot of a dead tensor, at the cost of the additional bytes. The flow ignores that a slot may have
/// grown already. Offsets are 0. Source: TFLite GPU, section 5, the minimum-cost flow algorithm.
MemoryPlan plan_flow(const std::vector<Lifetime>& lives, const MemoryLimits& limits);

}  // namespace tensordsl::graph
