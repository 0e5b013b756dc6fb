// b(i) = select(1 <= i && i < 17, x(i - 1), 0); y(i) += b(i + r)*w(r)
//   ->   padded(i) = select(0 <= i && i < 16, x(i), 0); y(i) += padded(i + r - 1)*w(r), padded a part of y
// Needs: a simplified graph.  Gives: the same outputs; no tensor that is only windows' input with a border.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Folds a tensor with constant borders (classify/padding.h) into its readers if only windows of reductions
/// slide over it: each reads the source, and the border costs a test of the index, like a border of its own.
/// Two borders with the same constant become one, also nested borders of tensors.
///
/// Kinds that CompileOptions::on_host names stay, and their windows keep their inputs.
void fold_pads(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
