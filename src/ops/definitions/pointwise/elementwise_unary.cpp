#include "ir/nodes/expr_node.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/pointwise/elementwise.h"

namespace tensordsl::ops::definitions {

std::vector<Func> abs(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return abs(x); });
}

std::vector<Func> acos(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return acos(x); });
}

std::vector<Func> acosh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return acosh(x); });
}

std::vector<Func> asin(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return asin(x); });
}

std::vector<Func> asinh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return asinh(x); });
}

std::vector<Func> atan(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return atan(x); });
}

std::vector<Func> atanh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return atanh(x); });
}

std::vector<Func> bitwise_not(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return ~x; });
}

std::vector<Func> cast(const OperatorOperands& operands) {
  const bool is_test = operands.output().type.is_bool() && !operands.infos[0].type.is_bool();
  return unary(operands, [&](const Expr& x) { return is_test ? x != 0 : x; });
}

std::vector<Func> bit_cast(const OperatorOperands& operands) {
  const Type from = operands.infos[0].type, to = operands.output().type;
  if (from.is_bool() || to.is_bool()) return cast(operands);
  return unary(operands, [&](const Expr& x) { return reinterpret(to, x); });
}

std::vector<Func> ceil(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return ceil(x); });
}

std::vector<Func> cos(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return cos(x); });
}

std::vector<Func> cosh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return cosh(x); });
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

std::vector<Func> is_inf(const OperatorOperands& operands) {
  const bool negative = operands.attributes.get<std::int64_t>("detect_negative") != 0;
  const bool positive = operands.attributes.get<std::int64_t>("detect_positive") != 0;
  return unary(operands, [&](const Expr& x) {
    if (negative && positive) return is_inf(x);
    return negative || positive ? is_inf(x) && (positive ? x > 0 : x < 0) : ir::make_bool(false);
  });
}

std::vector<Func> is_nan(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return is_nan(x); });
}

std::vector<Func> log(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return log(x); });
}

std::vector<Func> logical_not(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return !x; });
}

std::vector<Func> neg(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return -x; });
}

std::vector<Func> reciprocal(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return 1.0f / x; });
}

std::vector<Func> round(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return round(x); });
}

std::vector<Func> sign(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return select(x > 0, 1, select(x < 0, -1, x)); });
}

std::vector<Func> sin(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return sin(x); });
}

std::vector<Func> sinh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return sinh(x); });
}

std::vector<Func> sqrt(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return sqrt(x); });
}

std::vector<Func> tan(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return tan(x); });
}

std::vector<Func> tanh(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return tanh(x); });
}

}  // namespace tensordsl::ops::definitions
