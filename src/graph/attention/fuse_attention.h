// s(h, i, j) += q(h, i, r)*k(h, j, r); w = softmax(s*scale + mask); y(h, i, d) += w(h, i, j)*v(h, j, d)
//   ->   only y, in parts for some queries, and all keys or some, at a time (define_attention.h)
// Needs: a simplified graph.  Gives: attention as one tensor; its scores are not stored as a tensor.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Fuses attention into one kernel: the scores of as many queries as there are lanes stay where they are
/// computed. Chooses the block size (AttentionBlock): all scores are held if the keys are few enough. More
/// keys, or an open number of them, are processed in blocks, with a running softmax. The sizes of a query and
/// of a value have to be known. Source: FlashAttention (Dao et al., NeurIPS 2022), section 3.1.
///
/// GPUs whose local memory is off chip keep the kernels unfused: the scores would be in memory all the same.
void fuse_attention(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
