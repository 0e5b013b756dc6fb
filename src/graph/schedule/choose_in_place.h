// peak at y = relu(x), x is not needed any more   ->   y is stored over x
// Needs: groups with layouts and keys, in order.  Gives: for some groups the operand that the output may be
// stored over, and keys that say so.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Computes groups in place at the steps that need most memory, as long as that lowers the peak. Elsewhere it
/// would gain nothing, and a kernel whose arguments may overlap is slower: its loads wait for the stores
/// before them.
void choose_in_place(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
