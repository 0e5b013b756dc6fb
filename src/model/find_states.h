// {{"past_key", "present_key"}}   ->   input 1 is next what output 1 is, and grows along dimension 2
#pragma once

#include <map>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl {

/// Returns the states that ModelOptions::states names, in the order of the inputs. Throws ModelError for
/// names that the model does not have, and for an input and an output whose types or shapes differ.
std::vector<definitions::DefinitionGraph::State> find_states(const definitions::DefinitionGraph& graph,
                                                             const std::map<std::string, std::string>& names);

}  // namespace tensordsl
