// 1x1 convolution -> depthwise convolution, two groups   ->   one group of two anchors
// Needs: groups and layouts.  Gives: the same tensors in fewer groups; those in between are not stored.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Windows of one channel, of a depthwise convolution or a pool, that slide over the result of a sum that
/// nothing else reads go into one group with it, where choose_sliding_tile
/// (schedules/window/choose_sliding_tile.h) says that this pays: the tensor between them is large, and few
/// of its rows are computed twice. Then only a few rows of it exist at a time, in private memory
/// (schedules/window/sliding_sums.h). Groups that have a form already stay.
void fuse_sliding_windows(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
