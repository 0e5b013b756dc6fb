// b(i) = select(1 <= i && i < 17, x(i - 1), 0); y(i) += b(i + r)*w(r)
//   ->   padded(i) = select(0 <= i && i < 16, x(i), 0); y(i) += padded(i + r - 1)*w(r), padded a part of y
// Needs: a simplified graph.  Gives: the same outputs; no tensor that is only windows' input with a border.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// A tensor with constant borders (classify/padding.h) goes if windows alone slide over it, of sums of
/// products or of other reductions: each reads it again, and the border costs a test of the index, as a
/// border of its own does. With the same constant both borders are one; so are those of a tensor with a
/// border around a border.
///
/// Kinds that CompileOptions::on_host names stay, and their windows slide over what they did.
void fold_pads(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
