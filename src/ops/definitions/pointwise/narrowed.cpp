#include "ops/definitions/pointwise/narrowed.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

constexpr int kMantissaBits = 23;  // of an f32

Expr power_of_2(int exponent) { return constant(Float(32), std::ldexp(1.0, exponent)); }

/// Rounds a magnitude to `bits` bits after its first one, ties to even. The difference between a multiple of
/// it and the magnitude is rounded to units in the last place of the multiple; subtracting it leaves the
/// rounded magnitude.
Expr shortened(const Expr& magnitude, int bits) {
  const Expr multiple = magnitude * power_of_2(kMantissaBits - bits);
  return multiple - (multiple - magnitude);
}

/// A magnitude as a multiple of 2^exponent: the sum with a number that has this unit is rounded to it.
Expr in_units(const Expr& magnitude, int exponent) {
  const Expr large = power_of_2(exponent + kMantissaBits);
  return (magnitude + large) - large;
}

/// Applies `shorten` to large magnitudes divided by a power of 2, so that it may multiply them.
template <typename Shorten>
Expr without_overflow(const Expr& magnitude, Shorten shorten) {
  constexpr int kScale = 64;
  const Expr is_large = magnitude >= 1;
  const Expr result = shorten(select(is_large, magnitude * power_of_2(-kScale), magnitude));
  return select(is_large, result * power_of_2(kScale), result);
}

}  // namespace

Expr narrowed_float(const Expr& value, const NarrowType& type, bool saturate) {
  const Expr x = cast(Float(32), value);
  const double highest = std::min<double>(4 * type.largest, std::numeric_limits<float>::max());
  const Expr limit = constant(Float(32), highest);
  // A NaN stays one.
  const Expr magnitude = select(abs(x) > limit, limit, abs(x));
  const Expr normal =
      without_overflow(magnitude, [&](const Expr& m) { return shortened(m, type.mantissa_bits); });
  const Expr subnormal = in_units(magnitude, type.least_exponent() - type.mantissa_bits);
  const Expr rounded = select(magnitude < power_of_2(type.least_exponent()), subnormal, normal);
  const bool is_limited = saturate || type.end == FloatEnd::Number;
  const double beyond = is_limited                       ? type.largest
                        : type.end == FloatEnd::Infinity ? std::numeric_limits<double>::infinity()
                                                         : std::numeric_limits<double>::quiet_NaN();
  const Expr result =
      select(rounded > constant(Float(32), type.largest), constant(Float(32), beyond), rounded);
  // A zero keeps its sign where the type has both.
  const Expr zero = type.end == FloatEnd::NegativeZero ? Expr(0.0f) : x;
  const Expr number = select(x == 0, zero, select(x < 0, -result, result));
  return type.end == FloatEnd::Number ? select(is_nan(x), -0.0f, number) : number;
}

Expr narrowed_exponent(const Expr& value, const NarrowType& type, bool saturate,
                       const std::string& round_mode) {
  const Expr magnitude = abs(cast(Float(32), value));
  Expr normal = without_overflow(magnitude, [&](const Expr& m) {
    const Expr nearest = shortened(m, 0);
    if (round_mode == "up") return select(nearest < m, nearest * 2, nearest);
    return round_mode == "down" ? select(nearest > m, nearest * 0.5f, nearest) : nearest;
  });
  const Expr least = power_of_2(type.least_exponent()), below = power_of_2(-type.bias);
  const Expr subnormal = round_mode == "up"     ? select(magnitude > 0, least, below)
                         : round_mode == "down" ? below
                                                : select(magnitude > below, least, below);
  const Expr largest = constant(Float(32), type.largest);
  const Expr nan = constant(Float(32), std::numeric_limits<double>::quiet_NaN());
  const Expr power = select(magnitude < least, subnormal, normal);
  if (saturate) return select(is_nan(magnitude), nan, select(power <= largest, power, largest));
  return select(magnitude >= below && power <= largest, power, nan);
}

Expr narrowed_integer(const Expr& value, const NarrowType& type) {
  const int mask = (1 << type.bits) - 1, sign = 1 << (type.bits - 1);
  const Expr bits = cast(Int(32), value) & mask;
  return cast(type.held, type.held.is_int() ? (bits ^ sign) - sign : bits);
}

Expr saturated_integer(const Expr& value, const NarrowType& type) {
  const bool is_signed = type.held.is_int();
  const int values = 1 << type.bits;
  const Expr low = constant(value.type(), is_signed ? -values / 2 : 0);
  const Expr high = constant(value.type(), (is_signed ? values / 2 : values) - 1);
  return cast(type.held, clamp(value, low, high));
}

std::vector<Func> cast_to_narrow(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const NarrowType& type = *find_narrow_type(attributes.get<std::int64_t>("to"));
  const bool saturate = attributes.get<std::int64_t>("saturate") != 0;
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr x = read_broadcast(operands, 0, vars);
  if (type.held.is_integer()) return {output(operands, vars, narrowed_integer(x, type))};
  if (type.end == FloatEnd::Exponent) {
    const std::string& mode = attributes.get<std::string>("round_mode");
    return {output(operands, vars, narrowed_exponent(x, type, saturate, mode))};
  }
  return {output(operands, vars, narrowed_float(x, type, saturate))};
}

}  // namespace tensordsl::ops::definitions
