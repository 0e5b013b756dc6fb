#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {

std::vector<Func> matmul(const OperatorOperands& operands) {
  const Shape &a = operands.infos[0].shape, &b = operands.infos[1].shape, &y = operands.output().shape;
  // A vector has no dimension that goes into the output.
  const bool has_rows = a.size() > 1, has_columns = b.size() > 1;
  const Shape batch(y.begin(), y.end() - has_rows - has_columns);
  const std::vector<Var> vars = index_vars(y);
  const RDom r({{0, index(a.back())}}, "r");

  std::vector<Expr> a_at = broadcast_indices(Shape(a.begin(), a.end() - 1 - has_rows), batch, vars);
  if (has_rows) a_at.push_back(vars[batch.size()]);
  a_at.push_back(r);

  std::vector<Expr> b_at = broadcast_indices(Shape(b.begin(), b.end() - 1 - has_columns), batch, vars);
  b_at.push_back(r);
  if (has_columns) b_at.push_back(vars.back());

  Func sum(operands.name + "_sum");
  sum(vars) += accumulated(read(operands, 0, a_at)) * accumulated(read(operands, 1, b_at));
  return {output(operands, vars, sum(vars))};
}

}  // namespace tensordsl::definitions
