#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {

std::vector<Func> clip(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Expr value = read_broadcast(operands, 0, vars);
  const Type type = value.type();
  const auto bound = [&](const char* name) { return constant(type, operands.attributes.get<double>(name)); };
  if (operands.attributes.has("min")) value = max(value, bound("min"));
  if (operands.attributes.has("max")) value = min(value, bound("max"));
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::definitions
