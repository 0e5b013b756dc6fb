// y(n, k, h, w) += x(n, c, h + r, w + s)*f(k, c, r, s), r and s in [0, 3)
//   ->   f'(p, q, c, k) = (G f G^T)(p, q), once
//        patch(n, .., p, q, .., c) = (B^T x B)(p, q) of a tile of (m + 2)x(m + 2)
//        product(n, .., p, q, .., k) += patch*f'
//        y(n, k, h, w) = (A^T product A)(h%m, w%m) of tile h/m, w/m
// Needs: groups, and memory for each tensor.  Gives: the same groups, some of which compute so.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Computes convolutions by Winograd's F(2x2,3x3) in one kernel, with 16 multiplications instead of 36, or by
/// F(4x4,3x3), with 36 instead of 144. Source: Lavin and Gray, Fast Algorithms for Convolutional Neural
/// Networks (CVPR 2016), sections 4.1 and 4.3; TVM on Mali.
///
/// Applies to f32 with constant weights that nothing else reads and channels last in memory, where the
/// schedule's estimate (schedules/winograd/choose_winograd_tile.h) says that it pays; on targets whose
/// work-groups run on one thread. CompileOptions::winograd_budget: bytes that all f' may take in addition to
/// f; if not all fit, the weights that save most for each byte are transformed. The weights' tensor becomes
/// f'.
void use_winograd(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
