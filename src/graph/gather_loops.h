// h1 = f(h); w = g(x); y = k(h1)   ->   w = g(x); h1 = f(h); y = k(h1), with h1 and y in one loop
// Needs: groups in an order in which they can be computed, each in the loops of its tensors.  Gives: the
// groups of each loop one behind the other; what is between them and in no step is computed before.
#pragma once

#include <set>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"

namespace tensordsl {

/// `loops`: as find_loops gives them.
std::vector<Group> gather_loops(const DefinitionGraph& graph, const std::vector<std::set<std::size_t>>& loops,
                                std::vector<Group> groups);

}  // namespace tensordsl
