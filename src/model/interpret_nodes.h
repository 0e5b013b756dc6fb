// Computes a model's nodes on the host, as a reference for kernels.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "ops/node.h"

namespace tensordsl {

/// Returns the value of each node's outputs, by name. `graph` has the inputs and the constants. See
/// Model::interpret.
std::map<std::string, Buffer> interpret_nodes(const std::vector<ops::Node>& nodes,
                                              const definitions::DefinitionGraph& graph,
                                              const std::map<std::string, Buffer>& inputs,
                                              const std::function<void(int done, int total)>& progress);

}  // namespace tensordsl
