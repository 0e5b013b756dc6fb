// Scalar and vector element types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tensordsl {

/// Kind of an element: signed integer, unsigned integer, float or truth value.
enum class TypeCode : std::uint8_t { Int, UInt, Float, Bool };

/// The type of a value: `lanes` elements of `bits` bits each. Arithmetic on integers of 8 and 16 bits and on
/// unsigned ones wraps; that on i32 and i64 must not overflow. Float(16) is a storage type: arithmetic on it
/// promotes to Float(32). A cast to it rounds to nearest even in place, and a Func of type f16 is rounded
/// where it is defined, wherever its schedule computes and stores it.
struct Type {
  TypeCode code = TypeCode::Int;  ///< kind of an element
  std::uint8_t bits = 32;         ///< bits of an element; 8 for a Bool
  std::uint16_t lanes = 1;        ///< 1: a scalar

  constexpr bool is_float() const { return code == TypeCode::Float; }  ///< f16, f32, f64
  constexpr bool is_bool() const { return code == TypeCode::Bool; }    ///< a truth value
  constexpr bool is_int() const { return code == TypeCode::Int; }      ///< a signed integer
  constexpr bool is_uint() const { return code == TypeCode::UInt; }    ///< an unsigned integer, no Bool
  constexpr bool is_integer() const { return is_int() || is_uint(); }  ///< is_int() or is_uint(), no Bool
  constexpr bool is_vector() const { return lanes > 1; }  ///< true if there is more than one lane
  /// Returns the bytes of one element in memory; a Bool takes one byte.
  constexpr int bytes() const { return bits / 8; }
  /// Returns the type of one lane.
  constexpr Type element() const { return {code, bits, 1}; }
  /// Returns the type of a vector of `n` such elements.
  constexpr Type with_lanes(int n) const { return {code, bits, static_cast<std::uint16_t>(n)}; }

  friend constexpr bool operator==(const Type&, const Type&) = default;
};

/// Makes Float(16), Float(32) or Float(64). Other widths, here and in the functions below, give a Type that
/// is_supported() refuses.
constexpr Type Float(int bits = 32, int lanes = 1) {
  return {TypeCode::Float, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
}
/// Makes Int(8), Int(16), Int(32) or Int(64).
constexpr Type Int(int bits = 32, int lanes = 1) {
  return {TypeCode::Int, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
}
/// Makes UInt(8), UInt(16), UInt(32) or UInt(64).
constexpr Type UInt(int bits = 8, int lanes = 1) {
  return {TypeCode::UInt, static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)};
}
/// Makes the type of truth values; in memory one is a byte that is 0 or 1.
constexpr Type Bool(int lanes = 1) { return {TypeCode::Bool, 8, static_cast<std::uint16_t>(lanes)}; }

/// Returns the type of a C++ arithmetic type: type_of<std::uint16_t>() is UInt(16). A long double is an f64.
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

/// Returns the type's name: "f32", "u8", "bool"; for a vector "f32x4".
std::string to_string(Type type);

/// Parses to_string()'s text; empty if `text` names no supported type.
std::optional<Type> parse_type(std::string_view text);

/// True for the element types that the language supports: f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64
/// and bool. f64 needs a device that has it (DeviceInfo::has_fp64).
bool is_supported(Type type);

/// Returns the names of the supported element types, for messages: "f16, f32, ... and bool".
std::string supported_types();

}  // namespace tensordsl
