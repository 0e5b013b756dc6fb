// Needs: a graph as it is to be computed.  Gives: for each tensor why the host shall compute it, or an empty
// text: kernels do.
#pragma once

#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/lower_groups.h"

namespace tensordsl {

/// What is of f64 for a device without it, and LoweringOptions::on_host. What lowering refuses comes to that
/// (graph/lower_groups.h).
std::vector<std::string> choose_host(const DefinitionGraph& graph, const LoweringOptions& options);

}  // namespace tensordsl
