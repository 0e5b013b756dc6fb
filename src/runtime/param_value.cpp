#include "tensordsl/param_value.h"

#include <fmt/format.h>

#include <utility>

#include "tensordsl/error.h"

namespace tensordsl {

std::int64_t ParamValue::integer() const {
  if (is_integer()) return std::get<std::int64_t>(value_);
  throw Error(fmt::format("{} is given for a Param that must be an integer", to_string()));
}

double ParamValue::number() const {
  return is_integer() ? static_cast<double>(std::get<std::int64_t>(value_)) : std::get<double>(value_);
}

std::string ParamValue::to_string() const {
  if (is_integer()) return fmt::format("{}", std::get<std::int64_t>(value_));
  const std::string digits = fmt::format("{}", std::get<double>(value_));
  return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
}

void require_fits(const std::string& param, Type type, const ParamValue& value) {
  if (type.is_float()) return;
  const auto holds = [&]<typename T>(T) { return std::in_range<T>(value.integer()); };
  const bool fits = value.is_integer() &&
                    (type.is_uint() ? type.bits == 64 ? holds(std::uint64_t{}) : holds(std::uint32_t{})
                                    : type.bits == 64 || holds(std::int32_t{}));
  if (!fits)
    throw Error(fmt::format("the Param \"{}\" is {}, but {} is given for it", param,
                            tensordsl::to_string(type), value.to_string()));
}

}  // namespace tensordsl
