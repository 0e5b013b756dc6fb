// y = relu(x); z = y + 1; out = y   ->   y = relu(x); out = y
// Needs: tensors after those they read.  Gives: the graph without tensors that no output needs; inputs stay.
#pragma once

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

/// Removes tensors that nothing needs. If two tensors have one Func, readers use the first.
definitions::DefinitionGraph remove_dead_tensors(definitions::DefinitionGraph graph);

}  // namespace tensordsl::graph
