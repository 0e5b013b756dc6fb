// h = f(h); y(s) = g(h)   ->   h in each step and after the loop in the memory of what it was before; the
// row of a step in the memory of y, from row s on
// Needs: layouts.  Gives: tensors of loops in whose memory others are; layouts of these that go together.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Returns, for each tensor that a loop begins or ends a step with, or adds a row of, the tensor in whose
/// memory it is stored. Changes the layouts of rows and of the tensors to which they are added in `layouts`.
std::map<std::size_t, std::size_t> place_loops(const definitions::DefinitionGraph& graph,
                                               std::vector<Layout>& layouts);

}  // namespace tensordsl::graph
