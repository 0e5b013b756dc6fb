#include <cmath>
#include <numbers>

#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/pointwise/elementwise.h"

namespace tensordsl::ops::definitions {
namespace {

double number_of(const OperatorOperands& operands, const char* name) {
  return operands.attributes.get<double>(name);
}

/// Computes log(1 + e^x) such that large values do not overflow the power, and small ones are not lost in the
/// sum.
Expr soft_plus(const Expr& x) { return max(x, 0) + log1p(exp(-abs(x))); }

/// x * sigmoid(alpha * x)
Expr swish_of(const Expr& x, double alpha) { return x / (1 + exp(-alpha * x)); }

}  // namespace

std::vector<Func> celu(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha");
  return unary(operands, [&](const Expr& x) { return select(x < 0, alpha * (exp(x / alpha) - 1), x); });
}

std::vector<Func> elu(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha");
  return unary(operands, [&](const Expr& x) { return select(x < 0, alpha * (exp(x) - 1), x); });
}

std::vector<Func> gelu(const OperatorOperands& operands) {
  const bool by_tanh = operands.attributes.get<std::string>("approximate") == "tanh";
  return unary(operands, [&](const Expr& x) {
    // (1 + tanh(u)) / 2 is 1 / (1 + e^-2u), which loses nothing where tanh is near -1.
    const double factor = -2 * std::sqrt(2 / std::numbers::pi);
    if (by_tanh) return x / (1 + exp(factor * (x + 0.044715 * (x * x * x))));
    // 1 + erf(u) is erfc(-u), which loses nothing where erf is near -1.
    return x * 0.5 * erfc(x * -std::sqrt(0.5));
  });
}

std::vector<Func> hard_sigmoid(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha"), beta = number_of(operands, "beta");
  return unary(operands, [&](const Expr& x) { return limited(alpha * x + beta, 0, 1); });
}

std::vector<Func> hard_swish(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x * limited(x * (1.0f / 6) + 0.5f, 0, 1); });
}

std::vector<Func> leaky_relu(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha");
  return unary(operands, [&](const Expr& x) { return select(x < 0, alpha * x, x); });
}

std::vector<Func> mish(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x * tanh(soft_plus(x)); });
}

std::vector<Func> prelu(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& x, const Expr& slope) { return select(x < 0, slope * x, x); });
}

std::vector<Func> relu(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x.type().is_float() ? select(x < 0, 0, x) : max(x, 0); });
}

std::vector<Func> selu(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha"), gamma = number_of(operands, "gamma");
  return unary(operands, [&](const Expr& x) { return gamma * select(x < 0, alpha * (exp(x) - 1), x); });
}

std::vector<Func> shrink(const OperatorOperands& operands) {
  const double bias = number_of(operands, "bias"), limit = number_of(operands, "lambd");
  return unary(operands, [&](const Expr& x) {
    const Expr value = x.type().is_float() ? x : cast(Float(32), x);
    return select(value < -limit, value + bias, select(value > limit, value - bias, 0));
  });
}

std::vector<Func> sigmoid(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return 1.0f / (1.0f + exp(-x)); });
}

std::vector<Func> softplus(const OperatorOperands& operands) { return unary(operands, soft_plus); }

std::vector<Func> softsign(const OperatorOperands& operands) {
  return unary(operands, [](const Expr& x) { return x / (abs(x) + 1); });
}

std::vector<Func> thresholded_relu(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha");
  return unary(operands, [&](const Expr& x) { return select(x > alpha, x, 0); });
}

std::vector<Func> swish(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha");
  return unary(operands, [&](const Expr& x) { return swish_of(x, alpha); });
}

std::vector<Func> swi_glu(const OperatorOperands& operands) {
  const double alpha = number_of(operands, "alpha");
  return binary(operands, [&](const Expr& gate, const Expr& value) { return swish_of(gate, alpha) * value; });
}

}  // namespace tensordsl::ops::definitions
