// Needs: the final definitions of a graph.  Gives: for each tensor the reason why the host must compute it,
// or an empty text: kernels do.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Gives the host the tensors of f64 on a device without it, and the tensors of LoweringOptions::on_host.
/// Tensors that lowering refuses are added later (graph/schedule/lower_groups.h).
void choose_host(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
