#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/pointwise/elementwise.h"

namespace tensordsl::ops::definitions {
namespace {

/// Square and multiply: exact, where pow() in f32 is not even for 3^2 on every device.
Expr integer_power(const Expr& base, const Expr& exponent) {
  // For an exponent outside [0, bits) every base but 0, 1 and -1 overflows or truncates to 0; for these only
  // the exponent's last bit matters.
  const int bits = base.type().bits;
  const Expr in_range = select(0 <= exponent && exponent < bits, exponent, bits - 2 + exponent % 2);
  const Expr steps = cast(Int(32), in_range);
  Expr result = cast(base.type(), 1), square = base;
  for (int bit = 1; bit < bits; bit *= 2) {
    if (bit > 1) square = square * square;
    result = select(steps / bit % 2 == 1, result * square, result);
  }
  return select(exponent < 0 && abs(base) != 1, 0, result);
}

/// Raises to a power that may be a fraction. The result of pow() may be some units in the last place too
/// small, and an integer must not truncate to the one before.
Expr fractional_power(const Expr& base, const Expr& exponent) {
  constexpr double kMoreThanOne = 1 + 0x1p-19;
  const Expr power = pow(cast(exponent.type(), base), exponent) * kMoreThanOne;
  return select(exponent == floor(exponent), integer_power(base, cast(Int(32), exponent)),
                cast(base.type(), power));
}

Expr power(const Expr& base, const Expr& exponent) {
  if (base.type().is_float()) return pow(base, exponent);
  return exponent.type().is_float() ? fractional_power(base, accumulated(exponent))
                                    : integer_power(base, exponent);
}

/// The language's remainder has the sign of `b`, and this one the sign of `a`.
Expr truncating_remainder(const Expr& a, const Expr& b) {
  if (a.type().is_float()) return fmod(a, b);
  const Expr floored = a % b;
  if (!a.type().is_int()) return floored;
  // The signs differ.
  return select(floored != 0 && (floored ^ a) < 0, floored - b, floored);
}

/// a - floor(a / b) * b, exact: the remainder of truncation, moved to the sign of b.
Expr flooring_remainder(const Expr& a, const Expr& b) {
  const Expr truncated = fmod(a, b);
  return select(truncated != 0 && (truncated < 0) != (b < 0), truncated + b, truncated);
}

}  // namespace

std::vector<Func> add(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a + b; });
}

std::vector<Func> bit_shift(const OperatorOperands& operands) {
  const bool left = operands.attributes.get<std::string>("direction") == "LEFT";
  return binary(operands, [&](const Expr& a, const Expr& distance) {
    // The language's distance counts modulo the bits of the type. A distance of all bits leaves the sign.
    const Type type = a.type();
    Expr is_inside = distance < type.bits;
    if (type.is_int()) is_inside = is_inside && distance >= 0;
    const Expr nothing =
        type.is_int() && !left ? select(a < 0, cast(type, -1), cast(type, 0)) : cast(type, 0);
    return select(is_inside, left ? a << distance : a >> distance, nothing);
  });
}

std::vector<Func> bitwise_and(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a & b; });
}

std::vector<Func> bitwise_or(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a | b; });
}

std::vector<Func> bitwise_xor(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a ^ b; });
}

std::vector<Func> div(const OperatorOperands& operands) { return binary(operands, truncating_quotient); }

std::vector<Func> equal(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a == b; });
}

std::vector<Func> greater(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a > b; });
}

std::vector<Func> greater_or_equal(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a >= b; });
}

std::vector<Func> less(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a < b; });
}

std::vector<Func> less_or_equal(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a <= b; });
}

std::vector<Func> logical_and(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a && b; });
}

std::vector<Func> logical_or(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a || b; });
}

std::vector<Func> logical_xor(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a != b; });
}

std::vector<Func> max(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return larger(a, b); });
}

std::vector<Func> mean(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  Expr sum = accumulated(read_broadcast(operands, 0, vars));
  for (std::size_t i = 1; i < operands.inputs.size(); ++i) sum = sum + read_broadcast(operands, i, vars);
  return {output(operands, vars, sum / static_cast<double>(operands.inputs.size()))};
}

std::vector<Func> min(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return smaller(a, b); });
}

std::vector<Func> mod(const OperatorOperands& operands) {
  const bool truncates = operands.attributes.get<std::int64_t>("fmod") != 0;
  return binary(operands, [&](const Expr& a, const Expr& b) {
    if (truncates) return truncating_remainder(a, b);
    return a.type().is_float() ? flooring_remainder(a, b) : a % b;
  });
}

std::vector<Func> mul(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a * b; });
}

std::vector<Func> pow(const OperatorOperands& operands) { return binary(operands, power); }

std::vector<Func> sub(const OperatorOperands& operands) {
  return binary(operands, [](const Expr& a, const Expr& b) { return a - b; });
}

std::vector<Func> where(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const auto input = [&](std::size_t i) { return read_broadcast(operands, i, vars); };
  return {output(operands, vars, select(input(0), input(1), input(2)))};
}

}  // namespace tensordsl::ops::definitions
