#include "graph/fuse/gather_loops.h"

#include <algorithm>
#include <numeric>

#include "graph/stages/find_loops.h"

namespace tensordsl::graph {

void gather_loops(Graph& graph, const GraphContext&) {
  const definitions::DefinitionGraph& definitions = graph.definitions;
  if (definitions.loops.empty()) return;
  std::vector<definitions::FusedGroup>& groups = graph.groups;
  const std::vector<std::set<std::size_t>> loops = find_loops(definitions);
  // Loops before those in them: these move within what is together by then.
  const std::vector<std::set<std::size_t>> around = loops_around(definitions, loops);
  std::vector<std::size_t> order(definitions.loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t loop) { return around[loop].size(); });
  for (const std::size_t loop : order) {
    const auto is_outside = [&](const definitions::FusedGroup& group) {
      return !loops[group.stored_tensors[0]].contains(loop);
    };
    const auto first = std::ranges::find_if_not(groups, is_outside);
    const auto last = std::find_if_not(groups.rbegin(), std::make_reverse_iterator(first), is_outside).base();
    std::stable_partition(first, last, is_outside);
  }
}

}  // namespace tensordsl::graph
