#include "tensordsl/param_value.h"

#include <fmt/format.h>

#include <utility>

#include "tensordsl/error.h"

namespace tensordsl {

std::int64_t ParamValue::integer() const {
  if (std::holds_alternative<double>(value_))
    throw Error(fmt::format("the value of an integer Param cannot be {}; pass an integer", to_string()));
  if (fits<std::int64_t>()) return std::get<std::int64_t>(value_);
  return static_cast<std::int64_t>(std::get<std::uint64_t>(value_));
}

double ParamValue::number() const {
  return std::visit([](auto value) { return static_cast<double>(value); }, value_);
}

std::string ParamValue::to_string() const {
  const std::string digits = std::visit([](auto value) { return fmt::format("{}", value); }, value_);
  const bool looks_like_integer = digits.find_first_not_of("-0123456789") == std::string::npos;
  return !is_integer() && looks_like_integer ? digits + ".0" : digits;
}

void require_fits(const std::string& param, Type type, const ParamValue& value) {
  if (type.is_float()) return;
  const bool fits = type.is_uint()
                        ? type.bits == 64 ? value.fits<std::uint64_t>() : value.fits<std::uint32_t>()
                    : type.bits == 64 ? value.fits<std::int64_t>()
                                      : value.fits<std::int32_t>();
  if (!fits)
    throw Error(fmt::format("the Param \"{}\" has type {}; found the value {}", param,
                            tensordsl::to_string(type), value.to_string()));
}

}  // namespace tensordsl
