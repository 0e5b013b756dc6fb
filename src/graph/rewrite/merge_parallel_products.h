// q = x*Wq + bq; k = x*Wk + bk   ->   p = x*[Wq Wk] + [bq bk]; q(.., n) = p(.., n); k(.., n) = p(.., n + 64)
// Needs: a simplified graph.  Gives: one product where a tensor is multiplied by several constants, and the
// former products as slices of it, which view folding removes.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Merges element-wise operations of the products with constants as well. Applies only if the readers of the
/// results move them or multiply them, so that the slices are folded into their indices. Some results may be
/// multiplied by a number first, like queries: attention includes that, and otherwise there are still fewer
/// kernels.
///
/// Kinds that CompileOptions::on_host names stay.
void merge_parallel_products(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
