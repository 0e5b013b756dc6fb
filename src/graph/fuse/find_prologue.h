// Finds the factors of a product that are recomputed at each read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/stages/fusion_barriers.h"

namespace tensordsl::graph {

class PrologueFinder {
 public:
  /// Finds prologues in a graph. All arguments must outlive the finder.
  PrologueFinder(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                 const std::vector<std::vector<std::size_t>>& readers, const FusionBarriers& apart)
      : graph_(graph), funcs_(funcs), readers_(readers), apart_(apart) {}

  /// Returns the contraction that is the tensor's only reader, if it may recompute the tensor at each read:
  /// the definition has little arithmetic, its reads run along the last dimension, and the contraction
  /// evaluates each element for few columns.
  std::optional<std::size_t> product_of(std::size_t tensor) const;

  /// Explains why the reader, a sum of products, may not recompute the tensor; empty if it may.
  std::string why_no_factor(std::size_t tensor, std::size_t reader) const;

 private:
  const definitions::DefinitionGraph& graph_;
  const definitions::TensorFuncs& funcs_;
  const std::vector<std::vector<std::size_t>>& readers_;
  const FusionBarriers& apart_;
};

}  // namespace tensordsl::graph
