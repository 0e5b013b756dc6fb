#include "graph/plan_memory.h"

#include <algorithm>
#include <numeric>

namespace tensordsl {

std::int64_t MemoryPlan::total_bytes() const {
  return std::accumulate(slot_bytes.begin(), slot_bytes.end(), std::int64_t{0});
}

MemoryPlan plan_memory(const std::vector<Lifetime>& buffers) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  MemoryPlan plan;
  plan.slots.assign(buffers.size(), -1);
  std::vector<std::vector<Lifetime>> holds;
  for (const std::size_t i : order) {
    const Lifetime& life = buffers[i];
    int best = -1;
    for (std::size_t s = 0; s < holds.size(); ++s) {
      const bool is_free = std::none_of(holds[s].begin(), holds[s].end(), [&](const Lifetime& other) {
        return life.first <= other.last && other.first <= life.last;
      });
      if (is_free && (best < 0 || plan.slot_bytes[s] < plan.slot_bytes[static_cast<std::size_t>(best)])) {
        best = static_cast<int>(s);
      }
    }
    if (best < 0) {
      best = static_cast<int>(holds.size());
      holds.emplace_back();
      plan.slot_bytes.push_back(life.bytes);
    }
    holds[static_cast<std::size_t>(best)].push_back(life);
    plan.slots[i] = best;
  }
  return plan;
}

}  // namespace tensordsl
