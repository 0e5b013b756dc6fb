// Places tensors in memory, before there are kernels: rows of the table of passes, in this order.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Fills Graph::storage with the layout of each tensor (graph/views/choose_layouts.h).
void choose_layouts(Graph& graph, const GraphContext& context);

/// Places states and the parts appended to them in the memory of their next values
/// (graph/store/place_states.h).
void place_states(Graph& graph, const GraphContext& context);

/// Places tensors in the memory of their concatenation (graph/store/place_concatenations.h).
void place_concatenations(Graph& graph, const GraphContext& context);

/// Places the tensors that loops carry and the rows that they add (graph/store/place_loops.h).
void place_loops(Graph& graph, const GraphContext& context);

/// Stores tensors as the views that read them would have it (graph/views/propagate_layouts.h).
void propagate_layouts(Graph& graph, const GraphContext& context);

/// Makes views that leave every element at its location aliases of their sources
/// (graph/views/find_aliases.h).
void alias_views(Graph& graph, const GraphContext& context);

/// Removes the groups of tensors that need no kernel.
void remove_made_groups(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
