#include "graph/stages/graph.h"

#include "graph/stages/find_loops.h"

namespace tensordsl::graph {

const std::string& stored_name(const Graph& graph, std::size_t place) {
  return graph.definitions.tensors[graph.groups[place].stored_tensors[0]].name;
}

FusionBarriers barriers_of(const Graph& graph, const std::set<std::string>& apart) {
  return {graph.on_host, apart, find_loops(graph.definitions)};
}

}  // namespace tensordsl::graph
