// q = x*Wq + bq; k = x*Wk + bk   ->   p = x*[Wq Wk] + [bq bk]; q(.., n) = p(.., n); k(.., n) = p(.., n + 64)
// Needs: a simplified graph.  Gives: one product where a tensor is multiplied by several constants, and what
// they were as slices of it, which view folding removes.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Merges what is computed of the products element by element with constants as well. Only where what reads
/// the results moves them or multiplies them, so that the slices go into its indices. Some results may be
/// multiplied by a number first, as queries are: attention takes that in, and else there are still fewer
/// kernels.
///
/// Kinds that CompileOptions::on_host names stay.
void merge_parallel_products(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
