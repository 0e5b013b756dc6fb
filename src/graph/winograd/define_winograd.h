// sum(n, k, h, w) += x*f   ->   patch, product += patch*f', sum = (A^T product A)(h%m, w%m) of tile h/m, w/m
// Needs: a 3x3 convolution and its transformed weights.  Gives: its definition in parts.
#pragma once

#include <optional>
#include <vector>

#include "graph/winograd/find_convolution.h"

namespace tensordsl::graph {

/// Returns the patch, the product, and the replacement of the convolution's sum, producers before readers
/// (WinogradForm). `scale`: of the weights, if they are integers. Source: Lavin and Gray (CVPR 2016), section
/// 4.1.
std::vector<Func> define_winograd(const Convolution& convolution, const definitions::WinogradTile& tile,
                                  const Func& weights, const std::optional<Func>& scale);

}  // namespace tensordsl::graph
