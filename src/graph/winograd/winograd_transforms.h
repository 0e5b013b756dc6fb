// The matrices of Winograd's F(m x m, 3x3): y = A^T((G f G^T)*(B^T x B))A.
#pragma once

#include <functional>
#include <vector>

#include "tensordsl/expr.h"

namespace tensordsl::graph {

/// The transforms for tiles of `size` x `size` outputs, which come from (size + 2)^2 points. Source: Lavin
/// and Gray, Fast Algorithms for Convolutional Neural Networks (CVPR 2016), sections 4.1 and 4.3.
struct WinogradTransforms {
  using Matrix = std::vector<std::vector<float>>;

  int size = 2;
  Matrix input;            ///< B^T: [points][points]
  Matrix weights;          ///< G: [points][3]
  Matrix output;           ///< A^T: [size][points]
  std::vector<int> units;  ///< [points]: times these the rows of G are integers

  int points() const { return size + 2; }
};

/// `size`: 2 or 4.
const WinogradTransforms& winograd_transforms(int size);

/// The sum of `element(i)`, each times its number of the row of `matrix` that `row` says, which a schedule
/// unrolls: the choice is made at compile time.
Expr combined(const WinogradTransforms::Matrix& matrix, const Expr& row,
              const std::function<Expr(int)>& element);

}  // namespace tensordsl::graph
