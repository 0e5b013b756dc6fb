#include "graph/store/place_loops.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

std::map<std::size_t, std::size_t> place_loops(const DefinitionGraph& graph, std::vector<Layout>& layouts) {
  std::map<std::size_t, std::size_t> within;
  for (const DefinitionGraph::Loop& loop : graph.loops) {
    for (const DefinitionGraph::Loop::Carried& carried : loop.carried) {
      layouts[carried.now] = layouts[carried.next] = layouts[carried.end] = layouts[carried.begin];
      within.emplace(carried.now, carried.begin);
      within.emplace(carried.end, carried.begin);
    }
    for (const DefinitionGraph::Loop::Row& row : loop.rows) {
      const int rank = graph.tensors[row.whole].func.rank();
      layouts[row.whole] = Layout::row_major(rank);
      std::vector<Layout::Term> terms = layouts[row.whole].terms();
      terms[0].lead_param = loop.step;
      layouts[row.row] = Layout::of(terms);
      within.emplace(row.row, row.whole);
    }
  }
  return within;
}

}  // namespace tensordsl::graph
