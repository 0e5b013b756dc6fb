// mul_3 (no tensor of it any more), notes of the passes   ->   "went into the indices of %y", the groups of y
// Needs: the imported graph and the compiled one.  Gives: the provenance of each operator's results.
#pragma once

#include <vector>

#include "graph/stages/graph.h"
#include "tensordsl/inspection.h"

namespace tensordsl::graph {

/// Each input and each computed tensor of `imported`, in order.
std::vector<Inspection::Operator> find_provenance(const definitions::DefinitionGraph& imported,
                                                  const Graph& compiled);

/// "f32 [1, 64, 56, 56]"
std::string describe_tensor(const definitions::DefinitionGraph& graph, std::size_t tensor);

}  // namespace tensordsl::graph
