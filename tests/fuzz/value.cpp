#include "fuzz/value.h"

#include <algorithm>
#include <cmath>

namespace tensordsl::fuzz {
namespace {

constexpr double kEpsilon = 0x1p-23;      // two roundings of f32
constexpr double kHalfEpsilon = 0x1p-10;  // two roundings of f16
constexpr double kMathUlps = 32;          // more than OpenCL allows any function that is used
constexpr double kLargest = 1 << 20;      // sums of products of larger values might leave i32

bool is_exact(const Value& v) { return v.error == 0; }

/// A result of f32 arithmetic: exact if it has few enough digits.
Value rounded(Value v) {
  if (!v.expr.type().is_float()) return v;
  if (is_exact(v) && v.bound * std::exp2(v.fraction) > 0x1p24) v.error = kEpsilon * v.bound;
  if (!is_exact(v)) v.error += kEpsilon * v.bound;
  return v;
}

double range_of(Type type) {
  if (type.is_bool()) return 1;
  return type.is_uint() ? std::exp2(type.bits) - 1 : std::exp2(type.bits - 1);
}

/// The smallest power of two that is larger.
double power_above(double bound) { return std::exp2(std::floor(std::log2(std::max(bound, 1.0))) + 1); }

Type draw_integer_type(Random& random) {
  return random.pick({Int(8), Int(16), Int(32), Int(32), Int(64), UInt(8), UInt(16), UInt(32), UInt(64)});
}

/// Keeps what wraps inside its type and everything else far from overflow.
Value tamed(Value v) {
  const Type type = v.expr.type();
  if (type.is_uint()) v.bound = range_of(type);
  if (type.is_int() && type.bits < 32) v.bound = std::min(v.bound, range_of(type));
  return v.bound > kLargest ? limited(v, 1000) : v;
}

Value as_float(Value v) {
  if (v.expr.type() == Float(32) || v.expr.type() == Float(64)) return v;
  if (!v.expr.type().is_float()) v.fraction = 0;
  v.expr = cast(Float(32), v.expr);
  return rounded(v);
}

Value as_integer(Random& random, const Value& v) {
  if (v.expr.type().is_integer()) return v;
  const Type type = v.expr.type().is_bool() ? Int(32) : draw_integer_type(random);
  return tamed({cast(type, v.expr), v.bound + 1});
}

/// A comparison of exact values, which every schedule decides alike.
Expr draw_condition(Random& random, const Value& a, const Value& b) {
  const auto test = [&](const Value& x, const Value& y) {
    if (x.expr.type().is_bool() && y.expr.type().is_bool() && random.chance(50)) {
      return random.chance(50) ? x.expr && y.expr : x.expr || !y.expr;
    }
    switch (random.between(0, 5)) {
      case 0:
        return x.expr < y.expr;
      case 1:
        return x.expr <= y.expr;
      case 2:
        return x.expr == y.expr;
      case 3:
        return x.expr != y.expr;
      case 4:
        return x.expr > y.expr;
      default:
        return x.expr >= y.expr;
    }
  };
  const Expr first = test(a, b);
  if (random.chance(70)) return first;
  const Expr second = test(b, {Expr(random.between(-2, 2)), 2});
  return random.chance(50) ? first && second : first || !second;
}

Value math_function(Random& random, const Value& v) {
  const Value x = as_float(v);
  const auto inexact = [&](const Expr& e, double bound, double slope) {
    return Value{e, bound, slope * x.error + kMathUlps * kEpsilon * std::max(bound, 1.0)};
  };
  switch (random.between(0, 15)) {
    case 10:
      return inexact(exp2(clamp(x.expr, -3.0f, 3.0f)), 8, 6);
    case 11:
      return inexact(log2(abs(x.expr) + 1.0f), 21, 1.5);
    case 12:
      return inexact(atan2(x.expr, abs(x.expr) + 1.0f), 1, 2);
    case 13:
      // Constants are halves: half_arithmetic would round others, and no result would show it.
      return inexact(fma(clamp(x.expr, -8.0f, 8.0f), 0.3125f, 1.0f), 4, 1);
    case 14:
      return inexact(tan(clamp(x.expr, -1.0f, 1.0f)), 1.6, 4);
    case 0:
      return inexact(exp(clamp(x.expr, -3.0f, 3.0f)), 21, 21);
    case 1:
      return inexact(log(abs(x.expr) + 1.0f), 15, 1);
    case 2:
      return inexact(sqrt(abs(x.expr) + 1.0f), std::sqrt(x.bound + 1), 1);
    case 3:
      return inexact(rsqrt(abs(x.expr) + 1.0f), 1, 1);
    case 4:
      return inexact(tanh(x.expr), 1, 1);
    case 5:
      return inexact(erf(x.expr), 1, 2);
    case 6:
      return inexact(sin(clamp(x.expr, -8.0f, 8.0f)), 1, 1);
    case 7:
      return inexact(cos(clamp(x.expr, -8.0f, 8.0f)), 1, 1);
    case 8:
      return inexact(pow(min(abs(x.expr) + 0.5f, 4.0f), 1.5f), 8, 3);
    default: {
      const Expr whole = random.chance(25)   ? floor(x.expr)
                         : random.chance(33) ? ceil(x.expr)
                         : random.chance(50) ? trunc(x.expr)
                                             : round(x.expr);
      // A value near a step would fall on either side.
      if (!is_exact(x)) return {abs(x.expr), x.bound, x.error, x.fraction};
      return {whole, x.bound + 1, 0, 0};
    }
  }
}

Value draw_unary(Random& random, const Value& v, bool exact_only) {
  const Type type = v.expr.type();
  switch (random.between(0, 8)) {
    case 0:
      if (exact_only) break;
      return math_function(random, v);
    case 7:
      if (!type.is_integer()) return {is_finite(v.expr) && !is_nan(v.expr) && !is_inf(v.expr), 1};
      switch (random.between(0, 2)) {
        case 0:
          return tamed({~v.expr, v.bound + 1});
        case 1:
          return tamed({popcount(v.expr), 64});
        default:
          return tamed({count_leading_zeros(v.expr), 64});
      }
    case 8: {
      if (!is_exact(v)) break;
      const Type to = draw_integer_type(random);
      return tamed({saturating_cast(to, v.expr), std::min(v.bound + 1, range_of(to))});
    }
    case 1:
      if (type.is_bool()) return {!v.expr, 1};
      return tamed({-v.expr, v.bound, v.error, v.fraction});
    case 2:
      if (!is_exact(v)) break;
      return tamed({cast(random.chance(20) ? Bool() : draw_integer_type(random), v.expr), v.bound + 1});
    case 3:
      return as_float(v);
    case 4:
      return limited(v, random.between(1, 9));
    case 5:
      if (type.is_bool()) break;
      return tamed({abs(v.expr), v.bound, v.error, v.fraction});
    default: {
      if (!type.is_float() || type.bits == 16) break;
      if (random.chance(30)) return {cast(Float(64), v.expr), v.bound, v.error, v.fraction};
      const Value rounded_to_half = as_float(stored(Float(16), v));
      if (exact_only && !is_exact(rounded_to_half)) break;
      return rounded_to_half;
    }
  }
  return v;
}

/// Draws an operation on the bits of integers.
Value draw_bitwise(Random& random, const Value& a, const Value& b) {
  const double bound = power_above(std::max(a.bound, b.bound));
  const int places = random.between(0, 3);
  switch (random.between(0, 4)) {
    case 0:
      return tamed({a.expr & b.expr, bound});
    case 1:
      return tamed({a.expr | b.expr, bound});
    case 2:
      return tamed({a.expr ^ b.expr, bound});
    case 3:
      return tamed({a.expr << places, a.bound * (1 << places)});
    default:
      return tamed({random.chance(50) ? a.expr >> places : a.expr >> (b.expr & 7), a.bound});
  }
}

Value draw_binary(Random& random, Value a, Value b, bool exact_only) {
  if (is_exact(a) && is_exact(b) && random.chance(15)) {
    const Expr condition = draw_condition(random, a, b);
    if (random.chance(20)) return {condition, 1};
    if (a.expr.type().is_bool() != b.expr.type().is_bool())
      a = as_integer(random, a), b = as_integer(random, b);
    return tamed(
        {select(condition, a.expr, b.expr), std::max(a.bound, b.bound), 0, std::max(a.fraction, b.fraction)});
  }
  if (a.expr.type().is_bool()) a = {cast(Int(32), a.expr), 1};
  if (b.expr.type().is_bool()) b = {cast(Int(32), b.expr), 1};
  const bool integers = a.expr.type().is_integer() && b.expr.type().is_integer();
  if (!integers) a = as_float(a), b = as_float(b);
  const int fraction = std::max(a.fraction, b.fraction);
  switch (random.between(0, integers ? 9 : 8)) {
    case 8: {
      const Expr distance = abs_diff(a.expr, b.expr);
      return tamed(rounded({integers ? cast(a.expr.type(), distance) : distance, a.bound + b.bound,
                            a.error + b.error, fraction}));
    }
    case 9:
      return draw_bitwise(random, a, b);
    case 0:
    case 1:
      return tamed(rounded({a.expr + b.expr, a.bound + b.bound, a.error + b.error, fraction}));
    case 2:
      return tamed(rounded({a.expr - b.expr, a.bound + b.bound, a.error + b.error, fraction}));
    case 3:
    case 4:
      // i32 must not overflow.
      if (integers && a.bound * b.bound > 0x1p30) a = limited(a, 1000), b = limited(b, 1000);
      return tamed(
          rounded({a.expr * b.expr, a.bound * b.bound,
                   a.bound * b.error + b.bound * a.error + a.error * b.error, a.fraction + b.fraction}));
    case 5: {
      const bool low = random.chance(50);
      return tamed({low ? min(a.expr, b.expr) : max(a.expr, b.expr), std::max(a.bound, b.bound),
                    a.error + b.error, fraction});
    }
    case 6:
      if (integers) return tamed({a.expr / b.expr, a.bound});
      if (exact_only) return draw_binary(random, a, b, exact_only);
      return {a.expr / (abs(b.expr) + 1.0f), a.bound,
              a.error + a.bound * b.error + 8 * kEpsilon * std::max(a.bound, 1.0)};
    default:
      if (!integers) return draw_binary(random, a, b, exact_only);
      return tamed({a.expr % b.expr, std::max(b.bound, 1.0)});
  }
}

}  // namespace

Value limited(Value v, double limit) {
  if (v.bound <= limit || v.expr.type().is_bool()) return v;
  const int n = static_cast<int>(limit);
  v.expr = v.expr.type().is_uint() ? min(v.expr, n) : clamp(v.expr, -n, n);
  v.bound = n;
  return v;
}

Value stored(Type type, Value v) {
  // Every schedule rounds an exact value to the same f16, which is a multiple of 2^-fraction still.
  if (type == Float(16)) {
    v = limited(v, 1000);
    if (!is_exact(v)) v.error += kHalfEpsilon * std::max(v.bound, 1.0);
  }
  if (v.expr.type() == type) return v;
  if (!v.expr.type().is_float()) v.fraction = 0;
  if (type.is_integer() || type.is_bool()) {
    // A negative value wraps to a large one.
    const bool is_wide = type.is_uint() && type.bits > 16;
    if (is_wide) v.expr = max(v.expr, 0);
    v.bound = type.is_uint() && !is_wide ? range_of(type) : std::min(v.bound + 1, range_of(type));
    v.fraction = 0;
  }
  v.expr = cast(type, v.expr);
  return type == Float(32) ? rounded(v) : v;
}

Value summed(const Value& v, double count, const Value& before) {
  Value sum{v.expr, v.bound * count + before.bound, 0, std::max(v.fraction, before.fraction)};
  if (!v.expr.type().is_float()) return sum;
  const bool fits = sum.bound * std::exp2(sum.fraction) <= 0x1p24;
  if (!is_exact(v) || !is_exact(before) || !fits)
    sum.error = count * v.error + before.error + (count + 1) * kEpsilon * sum.bound;
  return sum;
}

Value draw_value(Random& random, std::vector<Value> leaves, Type type) {
  const bool exact_only = !type.is_float();
  if (exact_only) std::erase_if(leaves, [](const Value& v) { return !is_exact(v); });
  if (leaves.empty() || random.chance(25)) {
    leaves.push_back(random.chance(50)
                         ? Value{Expr(random.between(-5, 5)), 5}
                         : Value{Expr(static_cast<float>(random.between(-8, 8)) * 0.25f), 2, 0, 2});
  }
  random.shuffle(leaves);
  Value result = leaves[0];
  if (random.chance(30)) result = draw_unary(random, result, exact_only);
  for (std::size_t i = 1; i < leaves.size(); ++i) {
    Value next = leaves[i];
    if (random.chance(30)) next = draw_unary(random, next, exact_only);
    result = draw_binary(random, result, next, exact_only);
    if (random.chance(15)) result = draw_unary(random, result, exact_only);
  }
  if (type.is_float()) result = as_float(result);
  // Past 24 bits a float is no longer exact, and must not decide an integer.
  if (exact_only && !is_exact(result)) return {cast(type, Expr(random.between(0, 3))), 3};
  return stored(type, result);
}

}  // namespace tensordsl::fuzz
