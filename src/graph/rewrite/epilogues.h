// Finds the element-wise tensors that can be applied to a sum when it is stored.
#pragma once

#include <cstddef>
#include <vector>

#include "definitions/definition_graph.h"

namespace tensordsl::graph {

/// Pure tensors that read, at their own index, an accumulated tensor that nothing else reads, or another such
/// pure tensor: fuse() computes them in its epilogue, at no cost.
class Epilogues {
 public:
  Epilogues(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
            const std::vector<std::vector<std::size_t>>& readers);

  bool contains(std::size_t tensor) const { return are_[tensor]; }

 private:
  std::vector<bool> are_;
};

}  // namespace tensordsl::graph
