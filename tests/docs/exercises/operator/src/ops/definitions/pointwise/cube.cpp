#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/pointwise/elementwise.h"

namespace tensordsl::ops::definitions {

std::vector<Func> cube(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x * x * x; });
}

}  // namespace tensordsl::ops::definitions
