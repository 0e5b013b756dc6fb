// Describes the effects of the passes on a graph, from the log and the result of each.
#pragma once

#include "graph/compile_graph.h"
#include "tensordsl/inspection.h"

namespace tensordsl::graph {

/// Compiles the graph. Operator::text stays empty: lines of text are the front door's.
Inspection inspect_graph(const definitions::DefinitionGraph& graph, const CompileOptions& options);

}  // namespace tensordsl::graph
