// y(n, c, h, w) = select(c < 64, a(n, c, h, w), b(n, c - 64, h, w))   ->   a is [0, 64) of c, b the rest
// Finds the parts of a tensor that is a pure concatenation.
#pragma once

#include <cstddef>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

/// Elements [begin, begin + extent) of dimension `dim` of the whole are the elements of `tensor`.
struct Part {
  std::size_t tensor = 0;
  std::size_t dim = 0;
  Expr begin, extent;  ///< position in the whole, of constants and Params
};

/// Returns the parts in their order, each tensor once; empty if the tensor is anything else.
std::vector<Part> find_concatenations(const definitions::DefinitionGraph& graph,
                                      const definitions::TensorFuncs& funcs, std::size_t whole);

}  // namespace tensordsl::graph
