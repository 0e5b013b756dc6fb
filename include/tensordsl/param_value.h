// The values of Params.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "tensordsl/type.h"

namespace tensordsl {

/// The value of a Param in one run: an integer or a real number.
class ParamValue {
 public:
  ParamValue() = default;  ///< 0
  /// Holds an integer of any type but bool, exactly.
  template <std::integral T>
  requires(!std::same_as<T, bool>) ParamValue(T value) {  // NOLINT: values read as themselves in calls
    if (std::in_range<std::int64_t>(value)) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = static_cast<std::uint64_t>(value);
    }
  }
  /// Holds a real number as a double.
  template <std::floating_point T>
  ParamValue(T value) : value_(static_cast<double>(value)) {}  // NOLINT

  /// True if the value is an integer; a whole number given as a double is not one.
  bool is_integer() const { return !std::holds_alternative<double>(value_); }
  /// True if the value is an integer that T can represent.
  template <std::integral T>
  bool fits() const {
    return std::visit(
        [](auto value) {
          if constexpr (std::same_as<decltype(value), double>) {
            return false;
          } else {
            return std::in_range<T>(value);
          }
        },
        value_);
  }
  /// Returns the integer; the bits of one beyond the largest i64. Throws Error if the value is not an
  /// integer.
  std::int64_t integer() const;
  double number() const;          ///< the value as a double, the nearest one for an integer
  std::string to_string() const;  ///< "3" for an integer; "3.0" for a real number, in digits that read back
                                  ///< as it
  friend bool operator==(const ParamValue&, const ParamValue&) = default;

 private:
  std::variant<std::int64_t, std::uint64_t, double> value_ = std::int64_t{0};  // u64: beyond the largest i64
};

/// Values of Params, by the Param's name.
using ParamValues = std::map<std::string, ParamValue>;

/// Checks that a Param of this type can have the value: an integer within the type's range for integer types,
/// any number for f32 and f64. Throws Error otherwise.
void require_fits(const std::string& param, Type type, const ParamValue& value);

}  // namespace tensordsl
