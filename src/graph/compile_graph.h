// A graph of Funcs as a Program: all passes of graph/graph_passes.h.
#pragma once

#include "definitions/definition_graph.h"
#include "graph/stages/graph.h"
#include "tensordsl/program.h"

namespace tensordsl::graph {

/// Returns the graph with all stages that led to its Program. `logs`: Graph::log gets a record of each pass.
Graph compile_in_full(definitions::DefinitionGraph definitions, const CompileOptions& options,
                      bool logs = false);
Program compile_graph(definitions::DefinitionGraph definitions, const CompileOptions& options);

}  // namespace tensordsl::graph
