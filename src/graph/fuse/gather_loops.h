// h1 = f(h); w = g(x); y = k(h1)   ->   w = g(x); h1 = f(h); y = k(h1), with h1 and y in one loop
// Needs: groups in an order in which they can be computed, each in the loops of its tensors.  Gives: the
// groups of each loop consecutively; groups between them that are in no step are computed before.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

void gather_loops(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
