#include "ir/operations/intrinsics.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "ir/operations/operation_entry.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

/// Returns `b` if a/b is defined on devices.
template <typename T>
T divisor(T a, T b) {
  const bool overflows = std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
  if (b == 0 || overflows)
    throw InternalError("cannot evaluate an undefined division (by zero, or with overflow)");
  return b;
}

/// Returns the distance of a shift, modulo the bits of the type.
template <Integer T>
int distance(T b) {
  return static_cast<int>(b & static_cast<T>(sizeof(T) * 8 - 1));
}

template <Integer T>
T shift_left(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) << distance(b));
}

template <Integer T>
using Natural = std::make_unsigned_t<T>;

constexpr IntrinsicEntry kIntrinsics[] = {
    {"abs", 1, on_elements([](std::floating_point auto x) { return std::fabs(x); })},
    {"acos", 1, on_elements([](std::floating_point auto x) { return std::acos(x); })},
    {"acosh", 1, on_elements([](std::floating_point auto x) { return std::acosh(x); })},
    {"asin", 1, on_elements([](std::floating_point auto x) { return std::asin(x); })},
    {"asinh", 1, on_elements([](std::floating_point auto x) { return std::asinh(x); })},
    {"atan", 1, on_elements([](std::floating_point auto x) { return std::atan(x); })},
    {"atan2", 2, on_elements([]<std::floating_point T>(T y, T x) { return std::atan2(y, x); })},
    {"atanh", 1, on_elements([](std::floating_point auto x) { return std::atanh(x); })},
    {"bitwise_and", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a & b); })},
    {"bitwise_or", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a | b); })},
    {"bitwise_xor", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a ^ b); })},
    {"ceil", 1, on_elements([](std::floating_point auto x) { return std::ceil(x); })},
    {"cos", 1, on_elements([](std::floating_point auto x) { return std::cos(x); })},
    {"cosh", 1, on_elements([](std::floating_point auto x) { return std::cosh(x); })},
    {"count_leading_zeros", 1, on_elements([]<Integer T>(T x) {
       return static_cast<T>(std::countl_zero(static_cast<Natural<T>>(x)));
     })},
    {"erf", 1, on_elements([](std::floating_point auto x) { return std::erf(x); })},
    {"erfc", 1, on_elements([](std::floating_point auto x) { return std::erfc(x); })},
    {"exp", 1, on_elements([](std::floating_point auto x) { return std::exp(x); })},
    {"exp2", 1, on_elements([](std::floating_point auto x) { return std::exp2(x); })},
    {"floor", 1, on_elements([](std::floating_point auto x) { return std::floor(x); })},
    {"fma", 3, on_elements([]<std::floating_point T>(T a, T b, T c) { return std::fma(a, b, c); })},
    {"fmod", 2, on_elements([]<std::floating_point T>(T a, T b) { return std::fmod(a, b); })},
    {"log", 1, on_elements([](std::floating_point auto x) { return std::log(x); })},
    {"log1p", 1, on_elements([](std::floating_point auto x) { return std::log1p(x); })},
    {"log2", 1, on_elements([](std::floating_point auto x) { return std::log2(x); })},
    {"mad", 3, on_elements([]<std::floating_point T>(T a, T b, T c) { return a * b + c; })},
    {"popcount", 1,
     on_elements([]<Integer T>(T x) { return static_cast<T>(std::popcount(static_cast<Natural<T>>(x))); })},
    {"pow", 2, on_elements([]<std::floating_point T>(T a, T b) { return std::pow(a, b); })},
    // A promise of the author of a definition; it is removed before kernels are printed.
    {"promise_clamped", 3, on_elements([]<Integer T>(T value, T, T) { return value; })},
    // Half to even, in the default rounding mode.
    {"round", 1, on_elements([](std::floating_point auto x) { return std::nearbyint(x); })},
    {"rsqrt", 1, on_elements([](std::floating_point auto x) { return 1 / std::sqrt(x); })},
    {"shift_left", 2, on_elements([]<Integer T>(T a, T b) { return shift_left(a, b); })},
    {"shift_right", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a >> distance(b)); })},
    {"sin", 1, on_elements([](std::floating_point auto x) { return std::sin(x); })},
    {"sinh", 1, on_elements([](std::floating_point auto x) { return std::sinh(x); })},
    {"sqrt", 1, on_elements([](std::floating_point auto x) { return std::sqrt(x); })},
    {"tan", 1, on_elements([](std::floating_point auto x) { return std::tan(x); })},
    {"tanh", 1, on_elements([](std::floating_point auto x) { return std::tanh(x); })},
    {"trunc", 1, on_elements([](std::floating_point auto x) { return std::trunc(x); })},
    {"truncating_div", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a / divisor(a, b)); })},
    {"truncating_mod", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a % divisor(a, b)); })},
};

}  // namespace

std::span<const IntrinsicEntry> intrinsics() { return kIntrinsics; }

const IntrinsicEntry* find_intrinsic(std::string_view name) {
  for (const IntrinsicEntry& entry : kIntrinsics) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace tensordsl::ir
