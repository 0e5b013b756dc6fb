#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {

std::vector<Func> inverse(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::vector<Var> vars = index_vars(x);
  const std::size_t row = x.size() - 2, column = x.size() - 1;
  const Expr n = index(x.back());
  const Type type = accumulated(read(operands, 0, {vars.begin(), vars.end()})).type();
  const auto with = [&](const Expr& i, const Expr& j) {
    std::vector<Expr> indices(vars.begin(), vars.begin() + static_cast<std::ptrdiff_t>(row));
    indices.push_back(i);
    indices.push_back(j);
    return indices;
  };

  // The matrix beside the unit matrix, [X | 1]. Rotations of two rows make X an upper triangle U, and 1 the
  // matrix V with X = V' * U: see det.cpp, also for row n and the order of the columns.
  Func triangle(operands.name + "_triangle");
  const Expr element_of_x =
      accumulated(read(operands, 0, with(min(vars[row], n - 1), min(vars[column], n - 1))));
  const Expr unit = select(vars[column] - n == vars[row], constant(type, 1), constant(type, 0));
  triangle(vars) = select(vars[row] < n && vars[column] < n, element_of_x, unit);
  RDom r({{0, n}, {0, n}, {0, 2 * n}, {0, 3}}, "r");
  const Expr k = r[0], i = r[1], j = 2 * n - 1 - r[2], step = r[3];
  r.where(k < i && k <= j);
  const auto element = [&](const Expr& a, const Expr& b) { return triangle(with(a, b)); };
  // Scaled by the larger one, no square overflows.
  const Expr a = element(k, k), b = element(i, k), scale = max(abs(a), abs(b));
  const Expr length = sqrt((a / scale) * (a / scale) + (b / scale) * (b / scale));
  const Expr is_needed = b != constant(type, 0);
  const Expr cosine = select(is_needed, a / scale / length, constant(type, 1));
  const Expr sine = select(is_needed, b / scale / length, constant(type, 0));
  const Expr rotated =
      select(step == 0, cosine * element(k, j) + sine * element(i, j),
             select(step == 1, cosine * element(i, j) - sine * element(k, j), element(n, j)));
  triangle(with(select(step == 0, n, select(step == 1, i, k)), j)) = rotated;

  // U * Y = V from the last row on: what the rows below give goes, and the rest is divided by the diagonal.
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

}  // namespace tensordsl::definitions
