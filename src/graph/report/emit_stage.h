// A stage of the compilation of a graph as text, for --emit.
#pragma once

#include <string>

#include "definitions/definition_graph.h"
#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Returns the stage of every group that `filter` selects (select_groups): "classes" (what each Func does),
/// "groups", "layouts", or one of Pipeline::emit. Throws Error if it selects none.
std::string emit_stage(const definitions::DefinitionGraph& definitions, const CompileOptions& options,
                       const std::string& stage, const std::string& filter);

}  // namespace tensordsl::graph
