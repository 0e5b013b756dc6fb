// The Programs of groups   ->   one Program of the whole graph
// Needs: the program of each group, storage.  Gives: launches in order over tensors of the whole graph;
// kernels that are the same once; constants packed as their readers want them.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Fills Graph::program.
void assemble_program(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
