#include "ops/definitions/products/rotate_rows.h"

#include "ops/definitions/building_blocks.h"

namespace tensordsl::ops::definitions {

std::vector<Expr> in_matrix(const std::vector<Var>& vars, const Expr& i, const Expr& j) {
  std::vector<Expr> indices(vars.begin(), vars.end() - 2);
  indices.push_back(i);
  indices.push_back(j);
  return indices;
}

void rotate_rows(Func& matrix, const std::vector<Var>& vars, const Expr& n, const Expr& columns, Type type) {
  RDom r({{0, n}, {0, n}, {0, columns}, {0, 3}}, "r");
  // Column k, which says how to rotate, comes last.
  const Expr k = r[0], i = r[1], j = columns - 1 - r[2], step = r[3];
  r.where(k < i && k <= j);
  const auto element = [&](const Expr& a, const Expr& b) { return matrix(in_matrix(vars, a, b)); };
  // Scaled by the larger one, no square overflows.
  const Expr a = element(k, k), b = element(i, k), scale = max(abs(a), abs(b));
  const Expr length = sqrt((a / scale) * (a / scale) + (b / scale) * (b / scale));
  const Expr is_needed = b != constant(type, 0);
  const Expr cosine = select(is_needed, a / scale / length, constant(type, 1));
  const Expr sine = select(is_needed, b / scale / length, constant(type, 0));
  const Expr rotated =
      select(step == 0, cosine * element(k, j) + sine * element(i, j),
             select(step == 1, cosine * element(i, j) - sine * element(k, j), element(n, j)));
  matrix(in_matrix(vars, select(step == 0, n, select(step == 1, i, k)), j)) = rotated;
}

}  // namespace tensordsl::ops::definitions
