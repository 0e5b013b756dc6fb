#include "graph/stages/graph.h"

#include "graph/stages/find_loops.h"

namespace tensordsl::graph {

FusionBarriers barriers_of(const Graph& graph, const std::set<std::string>& apart) {
  return {graph.on_host, apart, find_loops(graph.definitions)};
}

}  // namespace tensordsl::graph
