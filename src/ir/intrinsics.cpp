#include "ir/intrinsics.h"

#include <cmath>

#include "ir/operation_entry.h"

namespace tensordsl::ir {
namespace {

constexpr IntrinsicEntry kIntrinsics[] = {
    {"abs", 1, on_elements([](std::floating_point auto x) { return std::fabs(x); })},
    {"bitwise_xor", 2, on_elements([]<std::integral T>(T a, T b) -> T { return static_cast<T>(a ^ b); })},
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
    {"sin", 1, on_elements([](std::floating_point auto x) { return std::sin(x); })},
    {"sqrt", 1, on_elements([](std::floating_point auto x) { return std::sqrt(x); })},
    {"tanh", 1, on_elements([](std::floating_point auto x) { return std::tanh(x); })},
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
