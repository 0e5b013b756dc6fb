// y = relu(x); z = y; out = z + 1   ->   y = relu(x); out = y + 1
// Needs: tensors after those they read.  Gives: the same outputs; no tensor that is element for element
// another one, and none that no output needs.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

void simplify_graph(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
