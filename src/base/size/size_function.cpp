#include "base/size/size_function.h"

#include <bit>
#include <type_traits>

#include "base/scalar.h"

namespace tensordsl {
namespace {

/// Calls f.operator()<T>(a, b, c) with the operands in the integer type.
template <typename F>
std::int64_t in_type(Type type, std::int64_t a, std::int64_t b, std::int64_t c, F f) {
  return with_element(type, [&]<typename T>() -> std::int64_t {
    if constexpr (Integer<T>) {
      return static_cast<std::int64_t>(
          static_cast<T>(f(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c))));
    } else {
      throw InternalError("a function of integers has operands of " + to_string(type));
    }
  });
}

template <auto f>
std::int64_t apply(Type type, std::int64_t a, std::int64_t b, std::int64_t c) {
  return in_type(type, a, b, c, f);
}

/// Says how far a shift goes.
template <Integer T>
int shift_distance(T b) {
  return static_cast<int>(b & static_cast<T>(sizeof(T) * 8 - 1));
}

template <Integer T>
auto bits_of_size(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

constexpr SizeFunction kSizeFunctions[] = {
    {"bitwise_and", 2, apply<[](auto a, auto b, auto) { return a & b; }>},
    {"bitwise_or", 2, apply<[](auto a, auto b, auto) { return a | b; }>},
    {"bitwise_xor", 2, apply<[](auto a, auto b, auto) { return a ^ b; }>},
    {"count_leading_zeros", 1, apply<[](auto a, auto, auto) { return std::countl_zero(bits_of_size(a)); }>},
    {"popcount", 1, apply<[](auto a, auto, auto) { return std::popcount(bits_of_size(a)); }>},
    // What the author of a definition promises of the first operand.
    {"promise_clamped", 3, apply<[](auto a, auto, auto) { return a; }>},
    {"shift_left", 2,
     apply<[](auto a, auto b, auto) { return static_cast<std::uint64_t>(a) << shift_distance(b); }>},
    {"shift_right", 2, apply<[](auto a, auto b, auto) { return (a >> shift_distance(b)); }>},
};

}  // namespace

const SizeFunction* find_size_function(std::string_view name) {
  for (const SizeFunction& function : kSizeFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace tensordsl
