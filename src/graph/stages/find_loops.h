// loop over s { h1 = f(h, x(s)) }; w = g(x)   ->   h1: {loop}, w: {}
// Needs: tensors after those they read.  Gives: the loops in whose steps each tensor is computed.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

/// Returns for each tensor the numbers of the loops that it is in: one, and those around that one. A tensor
/// that does not depend on a loop is in none, wherever it is in the list: it is computed once.
std::vector<std::set<std::size_t>> find_loops(const definitions::DefinitionGraph& graph);

/// Returns for each loop those around it. `loops`: as find_loops gives them.
std::vector<std::set<std::size_t>> loops_around(const definitions::DefinitionGraph& graph,
                                                const std::vector<std::set<std::size_t>>& loops);

}  // namespace tensordsl::graph
