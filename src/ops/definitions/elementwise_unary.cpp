#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {
namespace {

/// y[i] = value(x[i])
template <typename Value>
OperatorDefinition unary(const OperatorOperands& operands, const Value& value) {
  const std::vector<Var> vars = index_vars(operands.output.shape);
  return {output(operands, vars, value(read_broadcast(operands, 0, vars))), {}, {}};
}

}  // namespace

OperatorDefinition abs(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return abs(x); });
}

OperatorDefinition ceil(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return ceil(x); });
}

OperatorDefinition erf(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return erf(x); });
}

OperatorDefinition exp(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return exp(x); });
}

OperatorDefinition floor(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return floor(x); });
}

OperatorDefinition hard_sigmoid(const OperatorOperands& operands) {
  const double alpha = operands.attributes.get<double>("alpha");
  const double beta = operands.attributes.get<double>("beta");
  return unary(operands, [&](const Expr& x) { return clamp(alpha * x + beta, 0.0f, 1.0f); });
}

OperatorDefinition hard_swish(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x * clamp(x * (1.0f / 6) + 0.5f, 0.0f, 1.0f); });
}

OperatorDefinition leaky_relu(const OperatorOperands& operands) {
  const double alpha = operands.attributes.get<double>("alpha");
  return unary(operands, [&](const Expr& x) { return select(x < 0, alpha * x, x); });
}

OperatorDefinition log(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return log(x); });
}

OperatorDefinition neg(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return -x; });
}

OperatorDefinition relu(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return max(x, 0); });
}

OperatorDefinition sigmoid(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return 1.0f / (1.0f + exp(-x)); });
}

OperatorDefinition sqrt(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return sqrt(x); });
}

OperatorDefinition tanh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return tanh(x); });
}

}  // namespace tensordsl::definitions
