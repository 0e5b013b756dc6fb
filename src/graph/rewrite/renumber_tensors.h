// Renumbers tensors of a graph after a change of its list.
#pragma once

#include <cstddef>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

/// Renumbers the tensors that inputs, outputs, counts and loops name. `place`: the new index, by the old one.
void renumber_tensors(definitions::DefinitionGraph& graph, const std::vector<std::size_t>& place);

}  // namespace tensordsl::graph
