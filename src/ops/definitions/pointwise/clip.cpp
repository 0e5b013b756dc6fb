#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> clip(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Expr value = read_broadcast(operands, 0, vars);
  const Type type = value.type();
  const Attributes& attributes = operands.attributes;
  const bool has_min = attributes.has("min"), has_max = attributes.has("max");
  const auto bound = [&](const char* name) { return constant(type, attributes.get<double>(name)); };
  if (has_min && has_max) {
    value = limited(value, bound("min"), bound("max"));
  } else if (has_min) {
    value = larger(value, bound("min"));
  } else if (has_max) {
    value = smaller(value, bound("max"));
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
