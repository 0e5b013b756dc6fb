#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {

std::vector<Func> softmax(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(x);
  const RDom r({{0, index(x[axis])}}, "r");

  std::vector<Expr> along_axis(vars.begin(), vars.end()), row(vars.begin(), vars.end());
  along_axis[axis] = r;
  row[axis] = 0;

  Func max(operands.name + "_max"), sum(operands.name + "_sum");
  max(vars).maximize(accumulated(read(operands, 0, along_axis)));
  // Less the largest, no power exceeds 1, so neither it nor the sum overflows.
  sum(vars) += exp(read(operands, 0, along_axis) - max(row));
  const Expr power = exp(read_broadcast(operands, 0, vars) - max(row));
  return {output(operands, vars, power / sum(row))};
}

}  // namespace tensordsl::definitions
