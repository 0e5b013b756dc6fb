// Renumbers tensors of a graph after a change of its list.
#pragma once

#include <cstddef>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

/// Inputs, outputs, counts and loops name tensors by where they are: `place`, by where they were.
void renumber_tensors(definitions::DefinitionGraph& graph, const std::vector<std::size_t>& place);

}  // namespace tensordsl::graph
