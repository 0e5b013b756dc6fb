#include "graph/memory/plan_naive.h"

namespace tensordsl::graph {

MemoryPlan plan_naive(const std::vector<Lifetime>& lives, const MemoryLimits&) {
  MemoryPlan plan;
  for (const Lifetime& life : lives) {
    plan.places.push_back({static_cast<int>(plan.slot_bytes.size()), 0});
    plan.slot_bytes.push_back(life.bytes);
  }
  return plan;
}

}  // namespace tensordsl::graph
