#include "graph/memory_order.h"

namespace tensordsl {

std::vector<int> memory_order(const Shape& shape) {
  const int rank = static_cast<int>(shape.size());
  std::vector<int> order;
  if (rank == 4) return {0, 2, 3, 1};
  for (int d = 0; d < rank; ++d) order.push_back(d);
  return order;
}

Layout layout_of(const std::vector<int>& order) {
  std::vector<Layout::Term> terms;
  for (const int d : order) terms.push_back({.dim = d});
  return Layout::of(terms);
}

bool is_same_in_memory(const Shape& a, const Shape& b) {
  // Dimensions of extent 1 take no room; the rest must lie in the order in which they are written, in both.
  const auto keeps_order = [](const Shape& shape) {
    int last = -1;
    for (const int d : memory_order(shape)) {
      if (shape[static_cast<std::size_t>(d)] == 1) continue;
      if (d < last) return false;
      last = d;
    }
    return true;
  };
  return element_count(a) == element_count(b) && keeps_order(a) && keeps_order(b);
}

}  // namespace tensordsl
