// a 8: [1, 3], b 4: [3, 5], c 6: [5, 7]   ->   12, at step 3
#pragma once

#include "graph/memory/lifetimes.h"

namespace tensordsl::graph {

/// Returns the peak of the bytes needed at the same step: no plan takes fewer. Source: Pisarchyk and Lee,
/// Efficient Memory Management for Deep Neural Net Inference.
std::int64_t memory_lower_bound(const std::vector<Lifetime>& lives);

}  // namespace tensordsl::graph
