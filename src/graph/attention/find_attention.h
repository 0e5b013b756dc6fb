// s(h, i, j) += q(h, i, r)*k(h, j, r); w = softmax(s*scale + mask); y(h, i, d) += w(h, i, j)*v(h, j, d)
//   ->   rows (h, i), query i, key j, element d; score = dot*scale + mask; factors q, k, v
// Needs: a graph in which no tensor is defined twice.  Gives: a tensor as attention, if it is one.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "ir/nodes/function.h"

namespace tensordsl::graph {

/// Averages of values, weighted by the softmax of scores, which are sums of products. Every expression is one
/// over dimensions of the result, `key`, and the scores' axes.
struct Attention {
  std::size_t tensor = 0;               ///< the result
  std::string query;                    ///< its dimension of rows that have the same keys; may be of extent 1
  std::string element;                  ///< its dimension that only the values have
  ir::ReductionAxis key;                ///< the axis that is averaged over
  std::vector<ir::ReductionAxis> axes;  ///< the axes that the scores sum over
  Expr query_factor, key_factor;        ///< factors of the scores' products
  Expr score;                           ///< the score, with the variable kDot in place of the sum
  Expr value;                           ///< the averaged value
  Expr result;                          ///< the result, with the variable kMean in place of the average
  bool is_masked_zero = false;          ///< a row of scores of -inf gives 0, not NaN
  std::vector<std::size_t> parts;       ///< the other tensors that are in it, in order
  std::vector<definitions::Origin> origins;  ///< origins of the parts that are not layout transformations

  static constexpr const char* kDot = "dot.of.scores";
  static constexpr const char* kMean = "mean.of.values";
};

/// Finds attention by the definitions: between the two products, any tensors that are computed element by
/// element or moved, and read nowhere else. Tensors of the kinds `kept` (Origin::kind) are not taken.
class AttentionFinder {
 public:
  AttentionFinder(const definitions::DefinitionGraph& graph, const std::set<std::string>& kept);
  std::optional<Attention> find(std::size_t tensor) const;

 private:
  const definitions::DefinitionGraph& graph_;
  const std::set<std::string>& kept_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
};

}  // namespace tensordsl::graph
