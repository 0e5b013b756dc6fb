#include "graph/winograd/winograd_transforms.h"

#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {
namespace {

using namespace ir;

/// Sums the elements with positive factors first, then subtracts the others.
Expr signed_sum(const std::vector<float>& factors, const std::function<Expr(int)>& element) {
  Expr sum;
  for (const bool is_added : {true, false}) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const float factor = factors[i];
      if (factor == 0 || (factor > 0) != is_added) continue;
      Expr term = element(static_cast<int>(i));
      const float size = is_added ? factor : -factor;
      if (size != 1) term = make_float(term.type(), size) * term;
      if (!sum.defined()) {
        sum = is_added ? term : make_float(term.type(), 0) - term;
      } else {
        sum = is_added ? sum + term : sum - term;
      }
    }
  }
  return sum;
}

}  // namespace

const WinogradTransforms& winograd_transforms(int size) {
  static const WinogradTransforms kOfTwo{2,
                                         {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
                                         {{1, 0, 0}, {0.5F, 0.5F, 0.5F}, {0.5F, -0.5F, 0.5F}, {0, 0, 1}},
                                         {{1, 1, 1, 0}, {0, 1, -1, -1}},
                                         {1, 2, 2, 1}};
  static const WinogradTransforms kOfFour{
      4,
      {{4, 0, -5, 0, 1, 0},
       {0, -4, -4, 1, 1, 0},
       {0, 4, -4, -1, 1, 0},
       {0, -2, -1, 2, 1, 0},
       {0, 2, -1, -2, 1, 0},
       {0, 4, 0, -5, 0, 1}},
      {{1 / 4.0F, 0, 0},
       {-1 / 6.0F, -1 / 6.0F, -1 / 6.0F},
       {-1 / 6.0F, 1 / 6.0F, -1 / 6.0F},
       {1 / 24.0F, 1 / 12.0F, 1 / 6.0F},
       {1 / 24.0F, -1 / 12.0F, 1 / 6.0F},
       {0, 0, 1}},
      {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}},
      {4, 6, 6, 24, 24, 1}};
  return size == 2 ? kOfTwo : kOfFour;
}

Expr combined(const WinogradTransforms::Matrix& matrix, const Expr& row,
              const std::function<Expr(int)>& element) {
  Expr value = signed_sum(matrix.back(), element);
  for (std::size_t i = matrix.size() - 1; i-- > 0;)
    value = make_select(row == static_cast<int>(i), signed_sum(matrix[i], element), value);
  return value;
}

}  // namespace tensordsl::graph
