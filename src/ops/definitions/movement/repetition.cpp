#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> expand(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  return {output(operands, vars, read_broadcast(operands, 0, vars))};
}

std::vector<Func> tile(const OperatorOperands& operands) {
  const Shape &x = operands.infos[0].shape, &y = operands.output().shape;
  const std::vector<Var> vars = index_vars(y);
  std::vector<Expr> at(vars.begin(), vars.begin() + static_cast<std::ptrdiff_t>(x.size()));
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (x[d] != y[d]) at[d] = x[d] == Size(1) ? Expr(0) : vars[d] % index(x[d]);
  }
  return {output(operands, vars, read(operands, 0, at))};
}

}  // namespace tensordsl::ops::definitions
