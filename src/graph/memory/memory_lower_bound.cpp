#include "graph/memory/memory_lower_bound.h"

#include <algorithm>
#include <map>

namespace tensordsl::graph {

std::int64_t memory_lower_bound(const std::vector<Lifetime>& lives) {
  std::map<int, std::int64_t> change;  // by step
  for (const Lifetime& life : lives) {
    change[life.first] += life.bytes;
    change[life.last + 1] -= life.bytes;
  }
  std::int64_t needed = 0, most = 0;
  for (const auto& [step, bytes] : change) {
    needed += bytes;
    most = std::max(most, needed);
  }
  return most;
}

}  // namespace tensordsl::graph
