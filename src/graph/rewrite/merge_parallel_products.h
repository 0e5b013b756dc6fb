// q = x*Wq + bq; k = x*Wk + bk   ->   p = x*[Wq Wk] + [bq bk]; q(.., n) = p(.., n); k(.., n) = p(.., n + 64)
// Needs: a simplified graph.  Gives: one product where a tensor is multiplied by several constants, and the
// former products as slices of it, which view folding removes.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Merges products that share an input into one product, with the element-wise operations with constants,
/// such as bias, that follow them. Applies only if each reader of the results is a layout transformation or a
/// product, so that view folding removes the slices. Some results may first be multiplied by a number, as
/// attention does with its queries, if there are still fewer kernels than before. Operators that
/// CompileOptions::on_host names are not merged.
void merge_parallel_products(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
