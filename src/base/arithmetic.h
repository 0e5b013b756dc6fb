// Integer arithmetic that is defined for all operands.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/scalar.h"

namespace tensordsl {

// Modulo 2^bits: 64 unsigned bits hold the result modulo every smaller power of two as well.
template <Integer A, Integer B>
constexpr std::common_type_t<A, B> wrapping_add(A a, B b) {
  return static_cast<std::common_type_t<A, B>>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <Integer A, Integer B>
constexpr std::common_type_t<A, B> wrapping_sub(A a, B b) {
  return static_cast<std::common_type_t<A, B>>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
template <Integer A, Integer B>
constexpr std::common_type_t<A, B> wrapping_mul(A a, B b) {
  return static_cast<std::common_type_t<A, B>>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// Floored quotient; 0 if b is 0; the smallest value / -1 wraps.
template <Integer T>
constexpr T floor_div(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return wrapping_sub(T{0}, a);
    const bool rounds_up = a % b != 0 && (a < 0) != (b < 0);
    return static_cast<T>(a / b - rounds_up);
  } else {
    return static_cast<T>(a / b);
  }
}

/// a - floor_div(a, b)*b; 0 if b is 0.
template <Integer T>
constexpr T floor_mod(T a, T b) {
  return b == 0 ? T{0} : wrapping_sub(a, wrapping_mul(floor_div(a, b), b));
}

}  // namespace tensordsl
