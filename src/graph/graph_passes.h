// The passes of the graph compiler, in order.
#pragma once

#include <span>

#include "graph/stages/graph_pass.h"

namespace tensordsl::graph {

/// Returns all passes, from a graph of Funcs to a Program.
std::span<const GraphPass> graph_passes();

}  // namespace tensordsl::graph
