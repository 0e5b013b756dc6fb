// sum; conv = sum + bias; y = clip(conv); z = y + x   ->   one group: sum is its anchor, the rest its
// epilogue
// Needs: a simplified graph.  Gives: every tensor that is computed in exactly one group, groups in an order
// of execution, with the graph's own Funcs.
#pragma once

#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"

namespace tensordsl {

std::vector<Group> fuse(const DefinitionGraph& graph);

}  // namespace tensordsl
