// conv = sum of 3 x 3 terms; y = attention + conv   ->   one group: conv's Funcs are in its prologue
// Needs: groups, as fuse gives them.  Gives: the same tensors in fewer groups.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// A group of one sum of few terms, as of a depthwise convolution, goes into the prologue of the attention
/// that alone reads it, each element once, behind the average: the kernel that has the queries at hand
/// computes it beside that (schedules/attention/attention.h).
void fuse_producers(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
