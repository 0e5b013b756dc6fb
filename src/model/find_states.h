// {{"past_key", "present_key"}}   ->   input 1 is next what output 1 is, and grows along dimension 2
#pragma once

#include <map>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl {

/// By ModelOptions::states, in the order of the inputs. Throws ModelError on names that the model does not
/// have, and on an input and an output that are not alike.
std::vector<definitions::DefinitionGraph::State> find_states(const definitions::DefinitionGraph& graph,
                                                             const std::map<std::string, std::string>& names);

}  // namespace tensordsl
