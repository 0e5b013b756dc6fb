// Whether a plan is right, whoever made it: an error's text, or nothing.
#pragma once

#include <string>

#include "graph/memory/memory_plan.h"

namespace tensordsl::graph {

/// Of each two that are needed at the same step, whether their bytes are apart; of each, whether it lies in
/// its slot and as the limits ask. It knows nothing of how plans are made. What is wrong first, as "0 and 1
/// share bytes [0, 8) of slot 0 at step 3"; empty if nothing is.
std::string verify_memory_plan(const std::vector<Lifetime>& lives, const MemoryPlan& plan,
                               const MemoryLimits& limits);

}  // namespace tensordsl::graph
