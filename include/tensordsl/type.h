// Scalar and vector element types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tensordsl {

enum class TypeCode : std::uint8_t { Int, UInt, Float, Bool };

/// The type of a value: `lanes` elements of `bits` bits each.
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

/// "f32", "f16", "i8", "u8", "i32", "i64", "bool"; vectors as "f32x4".
std::string to_string(Type type);

/// The inverse of to_string; empty if `text` names no supported type.
std::optional<Type> parse_type(std::string_view text);

/// True for the element types the language supports: f32, f16, i8, u8, i32, i64, bool.
bool is_supported(Type type);

}  // namespace tensordsl
