// sum; conv = sum + bias; y = conv*sigmoid(conv); z = y + x   ->   one group: sum is its anchor, the rest its
// epilogue
// Needs: a simplified graph.  Gives: every tensor that is computed in exactly one group, groups in an order
// of execution, with the graph's own Funcs.
#pragma once

#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"
#include "graph/kept_apart.h"

namespace tensordsl {

/// A group is a tensor with what is applied to it element by element, as far as one result is left: a chain,
/// or branches that meet again. Some also compute what they read beside that (graph/find_prologue.h). Source:
/// DNNFusion, as SmartMem uses it (section 3.2), with the cost of computing again.
std::vector<Group> fuse(const DefinitionGraph& graph, const KeptApart& apart = {});

/// Every tensor by itself.
std::vector<Group> separate(const DefinitionGraph& graph);

}  // namespace tensordsl
