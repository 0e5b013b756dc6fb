#include "graph/gather_loops.h"

#include <algorithm>
#include <numeric>

#include "graph/find_loops.h"

namespace tensordsl {

std::vector<Group> gather_loops(const DefinitionGraph& graph, const std::vector<std::set<std::size_t>>& loops,
                                std::vector<Group> groups) {
  // Loops before those in them: these move within what is together by then.
  const std::vector<std::set<std::size_t>> around = loops_around(graph, loops);
  std::vector<std::size_t> order(graph.loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t loop) { return around[loop].size(); });
  for (const std::size_t loop : order) {
    const auto is_outside = [&](const Group& group) {
      return !loops[group.stored_tensors[0]].contains(loop);
    };
    const auto first = std::ranges::find_if_not(groups, is_outside);
    const auto last = std::find_if_not(groups.rbegin(), std::make_reverse_iterator(first), is_outside).base();
    std::stable_partition(first, last, is_outside);
  }
  return groups;
}

}  // namespace tensordsl
