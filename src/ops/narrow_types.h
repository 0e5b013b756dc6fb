// Types of elements that ONNX has and the language does not. A wider type holds their values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tensordsl/type.h"

namespace tensordsl::ops {

/// Meanings of the largest bits of a float.
enum class FloatEnd : std::uint8_t {
  Infinity,      ///< an exponent of ones: infinities and NaNs, as in IEEE 754
  Nan,           ///< all ones: NaN
  NegativeZero,  ///< a number; -0 is the NaN
  Number,        ///< a number, like all other bits
  Exponent,      ///< bits that are nothing but an exponent, and NaN where all are ones
};

struct NarrowType {
  std::int64_t number;  ///< TensorProto.DataType
  std::string_view name;
  int bits;
  Type held;  ///< i8 or u8 of integers, else f32
  // Floats have these:
  FloatEnd end = FloatEnd::Number;
  int mantissa_bits = 0, bias = 0;
  double largest = 0;

  /// The exponent of the smallest normal number.
  int least_exponent() const { return 1 - bias; }
};

/// The type with this number; null if there is none.
const NarrowType* find_narrow_type(std::int64_t number);

/// The value that an element with these bits has.
double narrow_value(const NarrowType& type, std::uint32_t bits);

/// "BFLOAT16, FLOAT8E4M3FN, .."
std::string narrow_type_names();

}  // namespace tensordsl::ops
