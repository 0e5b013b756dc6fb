// y(n, k, h, w) += x(n, c, h + r, w + s)*f(k, c, r, s), r and s in [0, 3)
//   ->   f'(p, q, c, k) = (G f G^T)(p, q), once
//        patch(n, .., p, q, .., c) = (B^T x B)(p, q) of a tile of (m + 2)x(m + 2)
//        product(n, .., p, q, .., k) += patch*f'
//        y(n, k, h, w) = (A^T product A)(h%m, w%m) of tile h/m, w/m
// Needs: groups, and a place for each tensor.  Gives: the same groups, some of which compute so.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"
#include "graph/plan_storage.h"
#include "schedules/target.h"

namespace tensordsl {

/// Winograd's F(2x2,3x3) in one kernel: 16 multiplications for what takes 36; or F(4x4,3x3): 36 for 144.
/// Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks (CVPR 2016), sections 4.1 and
/// 4.3; TVM on Mali.
///
/// For f32 whose weights are a constant that nothing else reads, channels in the last place of memory, where
/// the schedule's estimate (schedules/choose_winograd_tile.h) says that it pays; on targets whose work-groups
/// run on one thread. `apart`: results (DefinedTensor::name) that stay as they are. `budget`: bytes that all
/// f' may take beyond what f takes; where not all fit, those that save most for a byte are taken. Returns the
/// tensors that are computed so. The weights' tensor becomes f'.
std::set<std::size_t> use_winograd(DefinitionGraph& graph, std::vector<Group>& groups, TensorStorage& storage,
                                   const Target& target, const std::set<std::string>& apart,
                                   std::optional<std::int64_t> budget = std::nullopt);

}  // namespace tensordsl
