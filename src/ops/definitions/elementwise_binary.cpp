#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {
namespace {

/// y[i] = value(a[i], b[i]), broadcast
template <typename Value>
std::vector<Func> binary(const OperatorOperands& operands, const Value& value) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr a = read_broadcast(operands, 0, vars), b = read_broadcast(operands, 1, vars);
  return {output(operands, vars, value(a, b))};
}

/// The language's `/` floors: a negative quotient with a remainder is one too low.
Expr truncating_quotient(const Expr& a, const Expr& b) {
  const Expr floored = a / b;
  if (!a.type().is_int()) return floored;
  return select(floored < 0 && floored * b != a, floored + 1, floored);
}

/// Square and multiply: exact, where pow() in f32 is not even for 3^2 on every device.
Expr integer_power(const Expr& base, const Expr& exponent) {
  // With an exponent outside [0, bits) every base but 0, 1 and -1 overflows or truncates to 0; for these only
  // the exponent's last bit matters.
  const int bits = base.type().bits;
  const Expr steps = select(0 <= exponent && exponent < bits, exponent, bits - 2 + exponent % 2);
  Expr result = cast(base.type(), 1), square = base;
  for (int bit = 1; bit < bits; bit *= 2) {
    if (bit > 1) square = square * square;
    result = select(steps / bit % 2 == 1, result * square, result);
  }
  return select(exponent < 0 && abs(base) != 1, 0, result);
}

}  // namespace

std::vector<Func> add(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a + b; });
}

std::vector<Func> div(const OperatorOperands& operands) { return binary(operands, truncating_quotient); }

std::vector<Func> max(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return larger(a, b); });
}

std::vector<Func> min(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return smaller(a, b); });
}

std::vector<Func> mul(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a * b; });
}

std::vector<Func> pow(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) {
    return a.type().is_float() ? pow(a, b) : integer_power(a, b);
  });
}

std::vector<Func> sub(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a - b; });
}

}  // namespace tensordsl::definitions
