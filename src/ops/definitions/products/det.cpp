#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {

std::vector<Func> det(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::vector<Var> vars = index_vars(x), batch = index_vars(operands.output().shape);
  const std::size_t row = x.size() - 2, column = x.size() - 1;
  const Expr n = index(x.back());
  const Type type = accumulated(read(operands, 0, {vars.begin(), vars.end()})).type();
  const auto with = [&](const std::vector<Var>& at, const Expr& i, const Expr& j) {
    std::vector<Expr> indices(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(row));
    indices.push_back(i);
    indices.push_back(j);
    return indices;
  };

  // Rotations of two rows, whose determinant is 1, make an upper triangle. Row n holds the rotated row k
  // until row i has been rotated too, and column k, which says how to rotate, comes last.
  Func triangle(operands.name + "_triangle");
  triangle(vars) =
      select(vars[row] < n, accumulated(read(operands, 0, with(vars, min(vars[row], n - 1), vars[column]))),
             constant(type, 0));
  RDom r({{0, n}, {0, n}, {0, n}, {0, 3}}, "r");
  const Expr k = r[0], i = r[1], j = n - 1 - r[2], step = r[3];
  r.where(k < i && k <= j);
  const auto element = [&](const Expr& a, const Expr& b) { return triangle(with(vars, a, b)); };
  // Scaled by the larger one, no square overflows.
  const Expr a = element(k, k), b = element(i, k), scale = max(abs(a), abs(b));
  const Expr length = sqrt((a / scale) * (a / scale) + (b / scale) * (b / scale));
  const Expr is_needed = b != constant(type, 0);
  const Expr cosine = select(is_needed, a / scale / length, constant(type, 1));
  const Expr sine = select(is_needed, b / scale / length, constant(type, 0));
  const Expr rotated =
      select(step == 0, cosine * element(k, j) + sine * element(i, j),
             select(step == 1, cosine * element(i, j) - sine * element(k, j), element(n, j)));
  triangle(with(vars, select(step == 0, n, select(step == 1, i, k)), j)) = rotated;

  Func product(operands.name + "_product");
  const RDom d({{0, n}}, "d");
  product(batch) *= triangle(with(batch, d, d));
  return {output(operands, batch, product(batch))};
}

}  // namespace tensordsl::definitions
