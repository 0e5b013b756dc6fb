// sum; conv = sum + bias; y = conv*sigmoid(conv); z = y + x   ->   one group: sum is its anchor, the rest its
// epilogue
// Needs: a simplified graph.  Gives: every tensor that is computed in exactly one group, groups in an order
// of execution, with the graph's own Funcs.
#pragma once

#include "definitions/fused_group.h"
#include "graph/stages/fusion_barriers.h"
#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Fuses into groups: a tensor with the element-wise operations on it, as long as one result is left: a
/// chain, or branches that meet again. Some groups also recompute their inputs (graph/fuse/find_prologue.h).
/// Source: DNNFusion, as SmartMem uses it (section 3.2), with the cost of recomputation.
void fuse(Graph& graph, const GraphContext& context);

/// Every tensor by itself.
void separate(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
