#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {
namespace {

/// y[i] = value(x[i])
template <typename Value>
std::vector<Func> unary(const OperatorOperands& operands, const Value& value) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  return {output(operands, vars, value(read_broadcast(operands, 0, vars)))};
}

}  // namespace

std::vector<Func> abs(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return abs(x); });
}

std::vector<Func> cast(const OperatorOperands& operands) {
  const bool is_test = operands.output().type.is_bool() && !operands.infos[0].type.is_bool();
  return unary(operands, [&](const Expr& x) { return is_test ? x != 0 : x; });
}

std::vector<Func> ceil(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return ceil(x); });
}

std::vector<Func> erf(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return erf(x); });
}

std::vector<Func> exp(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return exp(x); });
}

std::vector<Func> floor(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return floor(x); });
}

std::vector<Func> hard_sigmoid(const OperatorOperands& operands) {
  const double alpha = operands.attributes.get<double>("alpha");
  const double beta = operands.attributes.get<double>("beta");
  return unary(operands, [&](const Expr& x) { return limited(alpha * x + beta, 0, 1); });
}

std::vector<Func> hard_swish(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x * limited(x * (1.0f / 6) + 0.5f, 0, 1); });
}

std::vector<Func> leaky_relu(const OperatorOperands& operands) {
  const double alpha = operands.attributes.get<double>("alpha");
  return unary(operands, [&](const Expr& x) { return select(x < 0, alpha * x, x); });
}

std::vector<Func> log(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return log(x); });
}

std::vector<Func> neg(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return -x; });
}

std::vector<Func> relu(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x.type().is_float() ? select(x < 0, 0, x) : max(x, 0); });
}

std::vector<Func> sigmoid(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return 1.0f / (1.0f + exp(-x)); });
}

std::vector<Func> sqrt(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return sqrt(x); });
}

std::vector<Func> tanh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return tanh(x); });
}

}  // namespace tensordsl::definitions
