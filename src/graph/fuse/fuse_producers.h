// conv = sum of 3 x 3 terms; y = attention + conv   ->   one group: conv's Funcs are in its prologue
// Needs: groups, as fuse gives them.  Gives: the same tensors in fewer groups.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Fuses a group of one sum of few terms, such as a depthwise convolution, into the prologue of the attention
/// that is its only reader, each element once, after the average. The kernel that has loaded the queries
/// computes it too (schedules/attention/attention.h).
void fuse_producers(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
