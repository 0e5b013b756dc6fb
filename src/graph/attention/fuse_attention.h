// s(h, i, j) += q(h, i, r)*k(h, j, r); w = softmax(s*scale + mask); y(h, i, d) += w(h, i, j)*v(h, j, d)
//   ->   y alone, in parts for some queries, and all keys or some, at a time (define_attention.h)
// Needs: a simplified graph.  Gives: attention as one tensor, whose scores are no tensor.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Attention in one kernel: the scores of as many queries as there are lanes stay where they are computed.
/// If those of all keys are few enough, all are held; more, or an open number of them, go in blocks, with a
/// running softmax. The sizes of a query and of a value have to be known. Source: FlashAttention (Dao et al.,
/// NeurIPS 2022), section 3.1.
///
/// Not on GPUs whose local memory is off the chip: the scores would be in memory all the same.
void fuse_attention(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
