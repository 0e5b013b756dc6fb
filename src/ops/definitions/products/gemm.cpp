#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> gemm(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const bool trans_a = attributes.get<std::int64_t>("transA") != 0;
  const bool trans_b = attributes.get<std::int64_t>("transB") != 0;
  const double alpha = attributes.get<double>("alpha"), beta = attributes.get<double>("beta");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Var &row = vars[0], &column = vars[1];

  const RDom r({{0, index(operands.infos[0].shape[trans_a ? 0 : 1])}}, "r");
  const Expr a = trans_a ? read(operands, 0, {r, row}) : read(operands, 0, {row, r});
  const Expr b = trans_b ? read(operands, 1, {column, r}) : read(operands, 1, {r, column});
  Func sum(operands.name + "_sum");
  sum(vars) += accumulated(a) * accumulated(b);

  Expr value = sum(vars);
  if (alpha != 1) value = constant(value.type(), alpha) * value;
  if (operands.has_input(2) && beta != 0) {
    const Expr c = read_broadcast(operands, 2, vars);
    value = value + (beta == 1 ? c : constant(c.type(), beta) * c);
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
