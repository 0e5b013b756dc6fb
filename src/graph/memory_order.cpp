#include "graph/memory_order.h"

#include <fmt/format.h>

#include "base/index_limit.h"
#include "tensordsl/error.h"

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

std::vector<Expr> extents_of(const Shape& shape) {
  std::vector<Expr> extents;
  for (const std::int64_t e : shape) {
    if (e > kMaxElements)
      throw ShapeError(fmt::format("a tensor of [{}] is more than a kernel can index", to_string(shape)));
    extents.emplace_back(static_cast<int>(e));
  }
  return extents;
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
