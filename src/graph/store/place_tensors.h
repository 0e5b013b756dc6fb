// Where each tensor of a graph lies, before there are kernels.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// choose_layouts, place_states, place_concatenations, place_loops, propagate_layouts, find_aliases, in that
/// order, as far as these are asked for. Groups that need no kernel then are taken out of Graph::groups.
void place_tensors(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
