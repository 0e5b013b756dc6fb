#include "graph/memory/plan_greedy.h"

#include <algorithm>
#include <numeric>

namespace tensordsl::graph {

MemoryPlan plan_greedy(const std::vector<Lifetime>& lives, const MemoryLimits&) {
  std::vector<std::size_t> order(lives.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return lives[i].bytes; });
  MemoryPlan plan;
  plan.places.resize(lives.size());
  std::vector<std::vector<Lifetime>> holds;
  for (const std::size_t i : order) {
    const Lifetime& life = lives[i];
    std::size_t best = holds.size();
    for (std::size_t s = 0; s < holds.size(); ++s) {
      const bool is_free = std::ranges::none_of(holds[s], [&](const Lifetime& other) {
        return life.first <= other.last && other.first <= life.last;
      });
      if (is_free && (best == holds.size() || plan.slot_bytes[s] < plan.slot_bytes[best])) best = s;
    }
    if (best == holds.size()) {
      holds.emplace_back();
      plan.slot_bytes.push_back(life.bytes);
    }
    holds[best].push_back(life);
    plan.places[i] = {static_cast<int>(best), 0};
  }
  return plan;
}

}  // namespace tensordsl::graph
