// A stage of the compilation of a graph as text, for --emit.
#pragma once

#include <string>

#include "definitions/definition_graph.h"
#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// True if the group's label, its output's name in the model or its kernel's name contains `filter`.
bool matches(const definitions::DefinitionGraph& graph, const definitions::StoredGroup& group,
             const std::string& filter);

/// Returns the stage of every group whose label, output or kernel's name contains `filter`: "classes" (what
/// each Func does), "groups", "layouts", or one of Pipeline::emit. Empty if no group does.
std::string emit_stage(definitions::DefinitionGraph definitions, const CompileOptions& options,
                       const std::string& stage, const std::string& filter);

}  // namespace tensordsl::graph
