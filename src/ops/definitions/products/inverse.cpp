#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/products/rotate_rows.h"

namespace tensordsl::ops::definitions {

std::vector<Func> inverse(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::vector<Var> vars = index_vars(x);
  const std::size_t row = x.size() - 2, column = x.size() - 1;
  const Expr n = index(x.back());
  const Type type = accumulated(read(operands, 0, {vars.begin(), vars.end()})).type();
  const auto with = [&](const Expr& i, const Expr& j) { return in_matrix(vars, i, j); };

  // The matrix next to the unit matrix, [X | 1]. Rotations of two rows make X an upper triangle U, and 1 the
  // matrix V with X = V' * U.
  Func triangle(operands.name + "_triangle");
  const Expr element_of_x =
      accumulated(read(operands, 0, with(min(vars[row], n - 1), min(vars[column], n - 1))));
  const Expr unit = select(vars[column] - n == vars[row], constant(type, 1), constant(type, 0));
  triangle(vars) = select(vars[row] < n && vars[column] < n, element_of_x, unit);
  rotate_rows(triangle, vars, n, 2 * n, type);

  // Solves U * Y = V from the last row on: subtracts the contribution of the rows below, and divides by the
  // diagonal.
  Func solution(operands.name + "_solution");
  solution(vars) = triangle(with(vars[row], vars[column] + n));
  RDom s({{0, n}, {0, n + 1}}, "s");
  const Expr at = n - 1 - s[0], below = min(s[1], n - 1);
  s.where(s[1] > n - 1 - s[0]);
  const Expr known = solution(with(at, vars[column]));
  solution(with(at, vars[column])) =
      select(s[1] < n, known - triangle(with(at, below)) * solution(with(below, vars[column])),
             known / triangle(with(at, at)));
  return {output(operands, vars, solution(vars))};
}

}  // namespace tensordsl::ops::definitions
