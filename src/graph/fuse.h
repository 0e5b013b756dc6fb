// sum; conv = sum + bias; y = conv*sigmoid(conv); z = y + x   ->   one group: sum is its anchor, the rest its
// epilogue
// Needs: a simplified graph.  Gives: every tensor that is computed in exactly one group, groups in an order
// of execution, with the graph's own Funcs.
#pragma once

#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"

namespace tensordsl {

/// `on_host`: as choose_host gives it, or empty. What the host computes is in no group with what kernels do.
std::vector<Group> fuse(const DefinitionGraph& graph, const std::vector<std::string>& on_host = {});

}  // namespace tensordsl
