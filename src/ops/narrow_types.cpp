#include "ops/narrow_types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tensordsl::ops {
namespace {

constexpr std::array kNarrowTypes{
    NarrowType{16, "BFLOAT16", 16, Float(32), FloatEnd::Infinity, 7, 127, 0x1.FEp127},
    NarrowType{17, "FLOAT8E4M3FN", 8, Float(32), FloatEnd::Nan, 3, 7, 448},
    NarrowType{18, "FLOAT8E4M3FNUZ", 8, Float(32), FloatEnd::NegativeZero, 3, 8, 240},
    NarrowType{19, "FLOAT8E5M2", 8, Float(32), FloatEnd::Infinity, 2, 15, 57344},
    NarrowType{20, "FLOAT8E5M2FNUZ", 8, Float(32), FloatEnd::NegativeZero, 2, 16, 57344},
    NarrowType{21, "UINT4", 4, UInt(8)},
    NarrowType{22, "INT4", 4, Int(8)},
    NarrowType{23, "FLOAT4E2M1", 4, Float(32), FloatEnd::Number, 1, 1, 6},
    NarrowType{24, "FLOAT8E8M0", 8, Float(32), FloatEnd::Exponent, 0, 127, 0x1p127},
    NarrowType{25, "UINT2", 2, UInt(8)},
    NarrowType{26, "INT2", 2, Int(8)},
};

double integer_value(const NarrowType& type, std::uint32_t bits) {
  const std::int64_t end = std::int64_t{1} << type.bits, value = bits;
  return static_cast<double>(type.held.is_int() && value >= end / 2 ? value - end : value);
}

}  // namespace

const NarrowType* find_narrow_type(std::int64_t number) {
  const auto found = std::ranges::find(kNarrowTypes, number, &NarrowType::number);
  return found == kNarrowTypes.end() ? nullptr : &*found;
}

double narrow_value(const NarrowType& type, std::uint32_t bits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (type.held.is_integer()) return integer_value(type, bits);
  if (type.end == FloatEnd::Exponent) {
    const auto exponent = static_cast<int>(bits);
    return exponent == (1 << type.bits) - 1 ? kNan : std::ldexp(1.0, exponent - type.bias);
  }
  const std::uint32_t sign = 1U << (type.bits - 1);
  if (type.end == FloatEnd::NegativeZero && bits == sign) return kNan;
  const std::uint32_t magnitude = bits & (sign - 1), mantissa = magnitude & ((1U << type.mantissa_bits) - 1);
  const auto exponent = static_cast<int>(magnitude >> type.mantissa_bits);
  const bool has_largest_exponent = (magnitude | ((1U << type.mantissa_bits) - 1)) == sign - 1;
  double value = 0;
  if (type.end == FloatEnd::Nan && magnitude == sign - 1) {
    value = kNan;
  } else if (type.end == FloatEnd::Infinity && has_largest_exponent) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity() : kNan;
  } else {
    const std::uint32_t one = exponent == 0 ? 0 : 1U << type.mantissa_bits;
    value = std::ldexp(mantissa + one, std::max(exponent, 1) - type.bias - type.mantissa_bits);
  }
  return (bits & sign) != 0 ? -value : value;
}

std::string narrow_type_names() {
  std::string names;
  for (const NarrowType& type : kNarrowTypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names;
}

}  // namespace tensordsl::ops
