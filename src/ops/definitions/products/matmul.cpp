#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/products/products.h"

namespace tensordsl::ops::definitions {

MatrixElements matrix_elements(const OperatorOperands& operands, const std::vector<Var>& vars, std::size_t a,
                               std::size_t b, const RDom& k) {
  const Shape &of_a = operands.infos[a].shape, &of_b = operands.infos[b].shape, &y = operands.output().shape;
  // A vector has no dimension that goes into the output.
  const bool has_rows = of_a.size() > 1, has_columns = of_b.size() > 1;
  const Shape batch(y.begin(), y.end() - has_rows - has_columns);

  MatrixElements at;
  at.a = broadcast_indices(Shape(of_a.begin(), of_a.end() - 1 - has_rows), batch, vars);
  if (has_rows) at.a.push_back(vars[batch.size()]);
  at.a.push_back(k);

  at.b = broadcast_indices(Shape(of_b.begin(), of_b.end() - 1 - has_columns), batch, vars);
  at.b.push_back(k);
  if (has_columns) at.b.push_back(vars.back());
  return at;
}

std::vector<Func> matmul(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const RDom r({{0, index(operands.infos[0].shape.back())}}, "r");
  const MatrixElements at = matrix_elements(operands, vars, 0, 1, r);
  Func sum(operands.name + "_sum");
  sum(vars) += accumulated(read(operands, 0, at.a)) * accumulated(read(operands, 1, at.b));
  return {output(operands, vars, sum(vars))};
}

}  // namespace tensordsl::ops::definitions
