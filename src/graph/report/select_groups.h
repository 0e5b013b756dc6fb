// "conv1", the name of a node   ->   the groups that compute what it gives
// Needs: a compiled graph with its log.  Gives: the groups that a name selects, for --kernel and --explain.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Returns the groups that `filter` selects; all of them if it is empty. If a node or a tensor of the model
/// has exactly this name, it selects the groups that compute it. Else it selects those whose label, kernels,
/// nodes or tensors have it in their names. Throws Error if no group is left: the text begins with `call` and
/// lists the kernels and nodes.
std::set<std::size_t> select_groups(const definitions::DefinitionGraph& imported, const Graph& compiled,
                                    const std::string& filter, const std::string& call);

}  // namespace tensordsl::graph
