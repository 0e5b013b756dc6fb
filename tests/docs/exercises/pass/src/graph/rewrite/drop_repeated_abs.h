// y(i) = abs(x(i)); z(i) = abs(y(i))   ->   z is y
// Needs: tensors after those they read.  Gives: no absolute value of an absolute value.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

void drop_repeated_abs(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
