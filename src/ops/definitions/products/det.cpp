#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/products/rotate_rows.h"

namespace tensordsl::ops::definitions {

std::vector<Func> det(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::vector<Var> vars = index_vars(x), batch = index_vars(operands.output().shape);
  const std::size_t row = x.size() - 2, column = x.size() - 1;
  const Expr n = index(x.back());
  const Type type = accumulated(read(operands, 0, {vars.begin(), vars.end()})).type();
  const auto with = [&](const Expr& i, const Expr& j) { return in_matrix(vars, i, j); };

  // Rotations of two rows have the determinant 1.
  Func triangle(operands.name + "_triangle");
  triangle(vars) =
      select(vars[row] < n, accumulated(read(operands, 0, with(min(vars[row], n - 1), vars[column]))),
             constant(type, 0));
  rotate_rows(triangle, vars, n, n, type);

  Func product(operands.name + "_product");
  const RDom d({{0, n}}, "d");
  product(batch) *= triangle(in_matrix(vars, d, d));
  return {output(operands, batch, product(batch))};
}

}  // namespace tensordsl::ops::definitions
