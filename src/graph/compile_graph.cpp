#include "graph/compile_graph.h"

#include <utility>

#include "graph/graph_passes.h"

namespace tensordsl::graph {

Graph compile_in_full(definitions::DefinitionGraph definitions, const CompileOptions& options, bool logs) {
  Graph graph;
  graph.definitions = std::move(definitions);
  run_passes(graph_passes(), graph, options, logs);
  return graph;
}

Program compile_graph(definitions::DefinitionGraph definitions, const CompileOptions& options) {
  return compile_in_full(std::move(definitions), options).program;
}

}  // namespace tensordsl::graph
