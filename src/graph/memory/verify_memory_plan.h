// Verifies a memory plan, whatever its source.
#pragma once

#include <string>

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// Checks that any two tensors that are needed at the same step have separate bytes, and that each lies in
/// its slot and obeys the limits. It is independent of how plans are made. Returns the first fault, as "0 and
/// 1 share bytes [0, 8) of slot 0 at step 3"; empty if there is none.
std::string verify_memory_plan(const std::vector<Lifetime>& lives, const MemoryPlan& plan,
                               const MemoryLimits& limits);

}  // namespace tensordsl::graph
