// One value of any element type on the host, and its conversions to other types.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tensordsl/error.h"
#include "tensordsl/half.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// A value whose Type is known elsewhere: `f` if it is a float, held as the double that it equals; else `i`,
/// in which a u64 keeps its bits and a Bool is 0 or 1.
union Scalar {
  std::int64_t i;
  double f;
};

/// Stands for f16 where a C++ type is needed. Its values are computed as floats and rounded.
struct Half {};

/// The C++ type in which values of an element type are computed.
template <typename Element>
using Computed = std::conditional_t<std::same_as<Element, Half>, float, Element>;

template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <typename T>
concept Number = Integer<T> || std::floating_point<T>;

/// Calls f.operator()<Element>() with the C++ type, or Half, of the elements of `type`. This is the only list
/// of these types.
template <typename F>
constexpr decltype(auto) with_element(Type type, F&& f) {
  switch (type.code) {
    case TypeCode::Bool:
      return f.template operator()<bool>();
    case TypeCode::Int:
      if (type.bits == 8) return f.template operator()<std::int8_t>();
      if (type.bits == 16) return f.template operator()<std::int16_t>();
      if (type.bits == 32) return f.template operator()<std::int32_t>();
      if (type.bits == 64) return f.template operator()<std::int64_t>();
      break;
    case TypeCode::UInt:
      if (type.bits == 8) return f.template operator()<std::uint8_t>();
      if (type.bits == 16) return f.template operator()<std::uint16_t>();
      if (type.bits == 32) return f.template operator()<std::uint32_t>();
      if (type.bits == 64) return f.template operator()<std::uint64_t>();
      break;
    case TypeCode::Float:
      if (type.bits == 16) return f.template operator()<Half>();
      if (type.bits == 32) return f.template operator()<float>();
      if (type.bits == 64) return f.template operator()<double>();
      break;
  }
  throw InternalError("no C++ type corresponds to " + to_string(type));
}

/// Casts a value. To an integer: an integer wraps; a float is truncated toward zero and saturates, and a NaN
/// is 0. To a Bool: true if it is not 0, so a NaN is true. To a float: rounds to nearest even; to f16 through
/// f32.
template <typename To, typename From>
constexpr To converted(From value) {
  if constexpr (std::same_as<To, bool>) {
    return value != 0;
  } else if constexpr (Integer<To> && std::floating_point<From>) {
    using Limits = std::numeric_limits<To>;
    // The first value that is too large is a power of two, which every float type has.
    constexpr From kEnd = static_cast<From>(Limits::max() / 2 + 1) * 2;
    if (value != value) return 0;
    if (value >= kEnd) return Limits::max();
    return value < static_cast<From>(Limits::min()) ? Limits::min() : static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <typename Element>
constexpr Computed<Element> value_of(Scalar scalar) {
  if constexpr (std::floating_point<Computed<Element>>) {
    return static_cast<Computed<Element>>(scalar.f);
  } else {
    return static_cast<Element>(scalar.i);
  }
}

template <typename Element>
constexpr Scalar scalar_of(Computed<Element> value) {
  if constexpr (std::same_as<Element, Half>) {
    return {.f = half_to_float(float_to_half(value))};
  } else if constexpr (std::floating_point<Element>) {
    return {.f = value};
  } else {
    return {.i = static_cast<std::int64_t>(value)};
  }
}

/// A number of the host as a value of `type`.
template <typename T>
constexpr Scalar scalar_of(Type type, T number) {
  return with_element(
      type, [&]<typename Element>() { return scalar_of<Element>(converted<Computed<Element>>(number)); });
}

/// A value of `type` as a number of the host.
template <typename T>
constexpr T number_of(Type type, Scalar scalar) {
  return with_element(type, [&]<typename Element>() { return converted<T>(value_of<Element>(scalar)); });
}

}  // namespace tensordsl
