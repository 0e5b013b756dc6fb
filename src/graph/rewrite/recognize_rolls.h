// a(i) = x(i + 3); b(i) = x(i); y(i) = select(i < 5, a(i), b(i - 5))   ->   y(i) = x((i + 3)%8)
// Needs: a simplified graph.  Gives: the concatenation of x[k:] and x[:k] as one circular shift.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// The shifted windows of a Swin transformer in their exported form: numpy's roll as slices, one after the
/// other.
///
/// Kinds that CompileOptions::on_host names stay.
void recognize_rolls(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
