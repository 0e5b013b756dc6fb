// Elements of arrays, and Params, as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/scalar.h"
#include "tensordsl/param_value.h"

namespace tensordsl::runtime {

/// Loads element `index` of an array of scalars of `type`.
inline Scalar load_element(Type type, const std::byte* data, std::int64_t index) {
  const auto read = [&]<typename T>(T value) {
    std::memcpy(&value, data + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
  };
  return with_element(type, [&]<typename Element>() -> Scalar {
    if constexpr (std::same_as<Element, Half>) {
      return {.f = half_to_float(read(std::uint16_t{}))};
    } else if constexpr (std::same_as<Element, bool>) {
      return scalar_of<bool>(read(std::uint8_t{}) != 0);
    } else {
      return scalar_of<Element>(read(Element{}));
    }
  });
}

/// Rounds to the type's precision (f16) and keeps the low bits of integers.
inline void store_element(Type type, std::byte* data, std::int64_t index, Scalar value) {
  const auto write = [&]<typename T>(T stored) {
    std::memcpy(data + index * static_cast<std::int64_t>(sizeof(T)), &stored, sizeof(T));
  };
  with_element(type, [&]<typename Element>() {
    if constexpr (std::same_as<Element, Half>) {
      write(float_to_half(static_cast<float>(value.f)));
    } else if constexpr (std::same_as<Element, bool>) {
      write(static_cast<std::uint8_t>(value.i != 0));
    } else {
      write(value_of<Element>(value));
    }
  });
}

/// Returns the value of a Param as a scalar of its type. Throws Error if the type is an integer and the value
/// is not.
inline Scalar scalar_of_param(Type type, const ParamValue& value) {
  return type.is_float() ? scalar_of(type, value.number()) : scalar_of(type, value.integer());
}

}  // namespace tensordsl::runtime
