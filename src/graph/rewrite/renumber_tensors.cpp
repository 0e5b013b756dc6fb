#include "graph/rewrite/renumber_tensors.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

void renumber_tensors(DefinitionGraph& graph, const std::vector<std::size_t>& place) {
  for (std::size_t& input : graph.inputs) input = place[input];
  for (DefinitionGraph::Output& output : graph.outputs) output.tensor = place[output.tensor];
  for (DefinitionGraph::Count& count : graph.counts) count.tensor = place[count.tensor];
  for (DefinitionGraph::Loop& loop : graph.loops) {
    for (std::size_t* tensor : loop.named()) *tensor = place[*tensor];
  }
}

}  // namespace tensordsl::graph
