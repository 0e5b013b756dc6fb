// What the passes did to a graph, put together from what each of them leaves.
#pragma once

#include "graph/compile_graph.h"
#include "tensordsl/inspection.h"

namespace tensordsl::graph {

/// Compiles the graph. Operator::text stays empty: lines of text are the front door's.
Inspection inspect_graph(const definitions::DefinitionGraph& graph, const CompileOptions& options);

}  // namespace tensordsl::graph
