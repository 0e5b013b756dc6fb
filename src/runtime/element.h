// Scalar values as the language means them: the arithmetic that the interpreter and the simulator share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ir/interval.h"
#include "tensordsl/half.h"
#include "tensordsl/type.h"

namespace tensordsl::runtime {

/// One lane of a value: `f` if its type is a float (f16 values are held as the float they equal), else `i`.
union Cell {
  std::int64_t i;
  float f;
};

constexpr Cell int_cell(std::int64_t i) { return {.i = i}; }
constexpr Cell float_cell(float f) { return {.f = f}; }

/// The value modulo 2^bits, in the range of an integer type; a Bool is whether it is not 0.
inline std::int64_t wrapped(Type type, std::int64_t value) {
  if (type.is_bool()) return value != 0;
  switch (type.bits) {
    case 8:
      return type.is_uint() ? static_cast<std::uint8_t>(value) : static_cast<std::int8_t>(value);
    case 32:
      return static_cast<std::int32_t>(value);
    default:
      return value;
  }
}

/// Truncated toward zero into the range of an integer type; a NaN gives 0.
inline std::int64_t saturated(Type type, double value) {
  if (std::isnan(value)) return 0;
  const ir::Interval range = ir::range_of(type);
  // As a double the largest i64 is 2^63, which does not convert back.
  if (value >= static_cast<double>(range.high)) return range.high;
  if (value <= static_cast<double>(range.low)) return range.low;
  return static_cast<std::int64_t>(value);
}

/// Element `index` of an array of scalars of `type`.
inline Cell load_element(Type type, const std::byte* data, std::int64_t index) {
  const auto read = [&]<typename T>(T value) {
    std::memcpy(&value, data + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
  };
  if (type.is_float())
    return float_cell(type.bits == 16 ? half_to_float(read(std::uint16_t{})) : read(float{}));
  switch (type.bits) {
    case 8:
      return int_cell(type.is_int() ? read(std::int8_t{}) : read(std::uint8_t{}));
    case 32:
      return int_cell(read(std::int32_t{}));
    default:
      return int_cell(read(std::int64_t{}));
  }
}

/// Rounds to the type's precision (f16) and keeps the low bits of integers.
inline void store_element(Type type, std::byte* data, std::int64_t index, Cell value) {
  const auto write = [&]<typename T>(T stored) {
    std::memcpy(data + index * static_cast<std::int64_t>(sizeof(T)), &stored, sizeof(T));
  };
  if (type.is_float()) return type.bits == 16 ? write(float_to_half(value.f)) : write(value.f);
  switch (type.bits) {
    case 8:
      return write(static_cast<std::uint8_t>(value.i));
    case 32:
      return write(static_cast<std::int32_t>(value.i));
    default:
      return write(value.i);
  }
}

}  // namespace tensordsl::runtime
