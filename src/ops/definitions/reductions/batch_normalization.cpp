#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> batch_normalization(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const auto of_channel = [&](std::size_t i) { return read(operands, i, {vars[1]}); };
  const Expr x = read_broadcast(operands, 0, vars), scale = of_channel(1), bias = of_channel(2);
  const Expr mean = of_channel(3), variance = of_channel(4);
  const Expr factor = scale / sqrt(variance + operands.attributes.get<double>("epsilon"));
  return {output(operands, vars, (x - mean) * factor + bias)};
}

}  // namespace tensordsl::ops::definitions
