// Scalar and vector element types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tensordsl {

enum class TypeCode : std::uint8_t { Int, UInt, Float, Bool };

/// The type of a value: `lanes` elements of `bits` bits each.
/// Arithmetic on integers of 8 and 16 bits and on unsigned ones wraps; that on i32 and i64 must not overflow.
/// Float(16) is a storage type: arithmetic on it promotes to Float(32). A cast to it rounds to nearest even
/// where it stands, and a Func of type f16 is rounded where it is defined, wherever its schedule computes and
/// holds it.
struct Type {
  TypeCode code = TypeCode::Int;
  std::uint8_t bits = 32;
  std::uint16_t lanes = 1;

  constexpr bool is_float() const { return code == TypeCode::Float; }
  constexpr bool is_bool() const { return code == TypeCode::Bool; }
  constexpr bool is_int() const { return code == TypeCode::Int; }
  constexpr bool is_uint() const { return code == TypeCode::UInt; }
  constexpr bool is_integer() const { return is_int() || is_uint(); }
  constexpr bool is_vector() const { return lanes > 1; }
  /// Bytes of one element in memory; a Bool takes one byte.
  constexpr int bytes() const { return bits / 8; }
  constexpr Type element() const { return {code, bits, 1}; }
  constexpr Type with_lanes(int n) const { return {code, bits, static_cast<std::uint16_t>(n)}; }

  friend constexpr bool operator==(const Type&, const Type&) = default;
};

constexpr Type Float(int bits = 32, int lanes = 1) {
  return {TypeCode::Float, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
}
constexpr Type Int(int bits = 32, int lanes = 1) {
  return {TypeCode::Int, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
}
constexpr Type UInt(int bits = 8, int lanes = 1) {
  return {TypeCode::UInt, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
}
constexpr Type Bool(int lanes = 1) { return {TypeCode::Bool, 8, static_cast<std::uint16_t>(lanes)}; }

/// The type of a C++ arithmetic type: type_of<std::uint16_t>() is UInt(16). A long double is an f64.
template <typename T>
requires(std::is_arithmetic_v<T>) constexpr Type type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return Bool();
  } else if constexpr (std::is_floating_point_v<T>) {
    return Float(sizeof(T) > 4 ? 64 : 32);
  } else {
    constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
    return std::is_signed_v<T> ? Int(kBits) : UInt(kBits);
  }
}

/// "f32", "u8", "bool"; vectors as "f32x4".
std::string to_string(Type type);

/// The inverse of to_string; empty if `text` names no supported type.
std::optional<Type> parse_type(std::string_view text);

/// True for the element types the language supports: f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 and
/// bool. f64 needs a device that has it (DeviceInfo::has_fp64).
bool is_supported(Type type);

/// The names of the supported element types, for messages: "f16, f32, ... and bool".
std::string supported_types();

}  // namespace tensordsl
