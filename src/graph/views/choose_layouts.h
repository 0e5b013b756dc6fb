// Needs: a simplified graph.  Gives: the order in memory of every tensor that is stored.
//
// Tensors of four dimensions that a window slides over, or that have channels made of other channels
// ([N,C,H,W] of a model), are stored channels last, because kernels vectorize along contiguous channels. So
// are tensors that are read together with them, or computed from them, dimension by dimension. All others are
// row-major, such as attention's [batch, head, row, column].
#pragma once

#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Returns the layout of each tensor. `reasons`, if not null, gets the reason for each.
std::vector<Layout> choose_layouts(const definitions::DefinitionGraph& graph,
                                   std::vector<std::string>* reasons = nullptr);
std::vector<Layout> row_major_layouts(const definitions::DefinitionGraph& graph);

}  // namespace tensordsl::graph
