// Reference results of operators, casts and intrinsics, computed with the host's operators on wider types.
// Independent of ir/operations/operations.cpp, which it checks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/scalar.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/integer_operations.h"

namespace tensordsl::ir::host {

/// Holds every sum, difference and product of two i64.
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 Natural;

/// The values of all 65,536 halves, as IEEE 754 defines them.
inline double half_value(unsigned bits) {
  const unsigned exponent = bits >> 10 & 31u, mantissa = bits & 1023u;
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return mantissa ? std::nan("") : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24)
                               : std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25));
}

/// The half nearest to `value`, of two the one with an even last bit: found among all of them.
inline double nearest_half(double value) {
  static const std::vector<double> magnitudes = [] {
    std::vector<double> all;
    for (unsigned bits = 0; bits < 0x7c00; ++bits) all.push_back(half_value(bits));
    return all;
  }();
  const double magnitude = std::abs(value);
  if (!(magnitude < 65520)) return std::isnan(value) ? value : std::copysign(INFINITY, value);
  const auto above = std::ranges::upper_bound(magnitudes, magnitude);
  const auto below = above - 1;
  if (above == magnitudes.end()) return std::copysign(*below, value);
  const double down = magnitude - *below, up = *above - magnitude;
  const bool takes_below = down < up || (down == up && (below - magnitudes.begin()) % 2 == 0);
  return std::copysign(takes_below ? *below : *above, value);
}

/// Rounds what was computed in double to the element type's precision. It has more than twice the digits of
/// f16 and f32, so that rounding twice does no harm to + - * / and sqrt.
template <typename Element>
Computed<Element> rounded(double value) {
  if constexpr (std::same_as<Element, Half>) {
    return static_cast<float>(nearest_half(value));
  } else {
    return static_cast<Element>(value);
  }
}

/// Between 0 and b, its sign that of b.
inline Wide floored_remainder(Wide a, Wide b) { return (a % b + b) % b; }

template <typename Element>
bool compare(ExprKind kind, Computed<Element> a, Computed<Element> b) {
  switch (kind) {
    case ExprKind::Eq:
      return a == b;
    case ExprKind::Ne:
      return a != b;
    case ExprKind::Lt:
      return a < b;
    default:
      return a <= b;
  }
}

/// Exact; an integer type has the result modulo 2^bits.
inline Wide arithmetic(ExprKind kind, Wide a, Wide b) {
  switch (kind) {
    case ExprKind::Add:
      return a + b;
    case ExprKind::Sub:
      return a - b;
    case ExprKind::Mul:
      // Two u64 may have a product of 128 bits, of which the low ones count.
      return static_cast<Wide>(static_cast<Natural>(a) * static_cast<Natural>(b));
    case ExprKind::Div:
      return b == 0 ? 0 : (a - floored_remainder(a, b)) / b;
    case ExprKind::Mod:
      return b == 0 ? 0 : floored_remainder(a, b);
    case ExprKind::Min:
      return a < b ? a : b;
    default:
      return a < b ? b : a;
  }
}

template <typename Element>
Computed<Element> float_arithmetic(ExprKind kind, Computed<Element> x, Computed<Element> y) {
  const double a = x, b = y;
  switch (kind) {
    case ExprKind::Add:
      return rounded<Element>(a + b);
    case ExprKind::Sub:
      return rounded<Element>(a - b);
    case ExprKind::Mul:
      return rounded<Element>(a * b);
    case ExprKind::Div:
      return rounded<Element>(a / b);
    case ExprKind::Min:
      return std::isnan(a) ? y : std::isnan(b) || a < b ? x : y;
    default:
      return std::isnan(a) ? y : std::isnan(b) || a > b ? x : y;
  }
}

/// An integer saturated from a float, by way of an integer that holds it.
template <Integer To>
To truncated(double value) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(value)) return 0;
  if (std::abs(value) > 0x1p100) return value < 0 ? Limits::min() : Limits::max();
  return static_cast<To>(std::clamp<Wide>(static_cast<Wide>(value), Limits::min(), Limits::max()));
}

template <typename To, typename From>
Computed<To> cast(Computed<From> value) {
  if constexpr (std::same_as<To, bool>) {
    return value != 0;
  } else if constexpr (Integer<To>) {
    if constexpr (std::floating_point<Computed<From>>) {
      return truncated<To>(value);
    } else {
      return static_cast<To>(value);
    }
  } else if constexpr (std::same_as<To, float> || std::same_as<To, double>) {
    return static_cast<To>(value);
  } else {
    // f64 by way of f32.
    return rounded<To>(static_cast<double>(static_cast<float>(value)));
  }
}

inline double to_f32(double value) { return static_cast<double>(static_cast<float>(value)); }

/// A function in double; `ulps` is how far a value of the element type may be from the rounded one.
struct Function {
  std::function<double(double, double, double)> value;
  int ulps = 0;
};

/// Returns nullopt where the result is undefined on devices.
template <typename T>
std::optional<T> integer_operation(IntegerOperationKind kind, T a, T b) {
  const bool divides =
      b != 0 && !(std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1));
  // Modulo the bits of the type.
  const int distance = static_cast<int>(static_cast<std::uint64_t>(b) % (8 * sizeof(T)));
  switch (kind) {
    case IntegerOperationKind::TruncatingDiv:
      return divides ? std::optional<T>(static_cast<T>(
                           std::trunc(static_cast<long double>(a) / static_cast<long double>(b))))
                     : std::nullopt;
    case IntegerOperationKind::TruncatingMod:
      return divides ? std::optional<T>(static_cast<T>(
                           std::fmod(static_cast<long double>(a), static_cast<long double>(b))))
                     : std::nullopt;
    case IntegerOperationKind::ShiftRight:
      return static_cast<T>(std::floor(std::ldexp(static_cast<long double>(a), -distance)));
    case IntegerOperationKind::ShiftLeft: {
      T shifted = a;
      for (int i = 0; i < distance; ++i) shifted = static_cast<T>(Wide{shifted} * 2);
      return shifted;
    }
    case IntegerOperationKind::BitwiseAnd:
    case IntegerOperationKind::BitwiseOr:
    case IntegerOperationKind::BitwiseXor: {
      T bits = 0;
      for (std::size_t i = 0; i < 8 * sizeof(T); ++i) {
        const bool in_a = (a >> i) & 1, in_b = (b >> i) & 1;
        const bool is_set = kind == IntegerOperationKind::BitwiseAnd  ? in_a && in_b
                            : kind == IntegerOperationKind::BitwiseOr ? in_a || in_b
                                                                      : in_a != in_b;
        if (is_set) bits = static_cast<T>(bits | static_cast<T>(T{1} << i));
      }
      return bits;
    }
  }
  return std::nullopt;
}

inline const std::map<std::string, Function, std::less<>>& intrinsics() {
  constexpr int kLibraryUlps = 2;
  static const std::map<std::string, Function, std::less<>> all{
      {"abs", {[](double x, double, double) { return x < 0 || std::signbit(x) ? -x : x; }}},
      {"acos", {[](double x, double, double) { return std::acos(x); }, kLibraryUlps}},
      {"acosh", {[](double x, double, double) { return std::acosh(x); }, kLibraryUlps}},
      {"asin", {[](double x, double, double) { return std::asin(x); }, kLibraryUlps}},
      {"asinh", {[](double x, double, double) { return std::asinh(x); }, kLibraryUlps}},
      {"atan", {[](double x, double, double) { return std::atan(x); }, kLibraryUlps}},
      {"atan2", {[](double y, double x, double) { return std::atan2(y, x); }, kLibraryUlps}},
      {"atanh", {[](double x, double, double) { return std::atanh(x); }, kLibraryUlps}},
      {"ceil", {[](double x, double, double) { return -std::floor(-x); }}},
      {"cos", {[](double x, double, double) { return std::cos(x); }, kLibraryUlps}},
      {"cosh", {[](double x, double, double) { return std::cosh(x); }, kLibraryUlps}},
      {"erf", {[](double x, double, double) { return std::erf(x); }, kLibraryUlps}},
      {"erfc", {[](double x, double, double) { return std::erfc(x); }, kLibraryUlps}},
      {"exp", {[](double x, double, double) { return std::exp(x); }, kLibraryUlps}},
      {"exp2", {[](double x, double, double) { return std::exp2(x); }, kLibraryUlps}},
      {"floor", {[](double x, double, double) { return std::trunc(x) - (x < std::trunc(x)); }}},
      {"fma", {[](double a, double b, double c) { return std::fma(a, b, c); }, 1}},
      {"fmod", {[](double a, double b, double) { return std::fmod(a, b); }}},
      {"log", {[](double x, double, double) { return std::log(x); }, kLibraryUlps}},
      {"log1p", {[](double x, double, double) { return std::log1p(x); }, kLibraryUlps}},
      {"log2", {[](double x, double, double) { return std::log2(x); }, kLibraryUlps}},
      // Rounded to f32 after the product, and after the sum.
      {"mad", {[](double a, double b, double c) { return to_f32(to_f32(a * b) + c); }}},
      {"pow", {[](double a, double b, double) { return std::pow(a, b); }, kLibraryUlps}},
      {"round", {[](double x, double, double) {
         return std::isfinite(x) ? std::copysign(x - std::remainder(x, 1.0), x) : x;
       }}},
      {"rsqrt", {[](double x, double, double) { return 1 / std::sqrt(x); }, kLibraryUlps}},
      {"sin", {[](double x, double, double) { return std::sin(x); }, kLibraryUlps}},
      {"sinh", {[](double x, double, double) { return std::sinh(x); }, kLibraryUlps}},
      {"sqrt", {[](double x, double, double) { return std::sqrt(x); }}},
      {"tan", {[](double x, double, double) { return std::tan(x); }, kLibraryUlps}},
      {"tanh", {[](double x, double, double) { return std::tanh(x); }, kLibraryUlps}},
      {"trunc", {[](double x, double, double) { return x < 0 ? std::ceil(x) : std::floor(x); }}},
  };
  return all;
}

}  // namespace tensordsl::ir::host
