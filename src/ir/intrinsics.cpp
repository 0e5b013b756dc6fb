#include "ir/intrinsics.h"

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "ir/operation_entry.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

/// `b`, if a device says what a/b is.
template <typename T>
T divisor(T a, T b) {
  const bool overflows = std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
  if (b == 0 || overflows) throw InternalError("a division that no device defines is evaluated");
  return b;
}

constexpr IntrinsicEntry kIntrinsics[] = {
    {"abs", 1, on_elements([](std::floating_point auto x) { return std::fabs(x); })},
    {"bitwise_and", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a & b); })},
    {"bitwise_xor", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a ^ b); })},
    {"ceil", 1, on_elements([](std::floating_point auto x) { return std::ceil(x); })},
    {"cos", 1, on_elements([](std::floating_point auto x) { return std::cos(x); })},
    {"erf", 1, on_elements([](std::floating_point auto x) { return std::erf(x); })},
    {"exp", 1, on_elements([](std::floating_point auto x) { return std::exp(x); })},
    {"floor", 1, on_elements([](std::floating_point auto x) { return std::floor(x); })},
    {"log", 1, on_elements([](std::floating_point auto x) { return std::log(x); })},
    {"mad", 3, on_elements([]<std::floating_point T>(T a, T b, T c) { return a * b + c; })},
    {"pow", 2, on_elements([]<std::floating_point T>(T a, T b) { return std::pow(a, b); })},
    // Half to even, in the default rounding mode.
    {"round", 1, on_elements([](std::floating_point auto x) { return std::nearbyint(x); })},
    {"rsqrt", 1, on_elements([](std::floating_point auto x) { return 1 / std::sqrt(x); })},
    {"shift_right", 2, on_elements([]<Integer T>(T a, T b) { return static_cast<T>(a >> b); })},
    {"sin", 1, on_elements([](std::floating_point auto x) { return std::sin(x); })},
    {"sqrt", 1, on_elements([](std::floating_point auto x) { return std::sqrt(x); })},
    {"tanh", 1, on_elements([](std::floating_point auto x) { return std::tanh(x); })},
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
