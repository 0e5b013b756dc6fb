#include "onnx/shapes/constant_of_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/scalar.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

/// A type that represents every value of i64, u64 and f64.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

bool is_u64(Type type) { return type.is_uint() && type.bits == 64; }

Exact exact(const Buffer& buffer, std::int64_t i) {
  if (buffer.type().is_float()) return buffer.get(i);
  const std::int64_t value = buffer.get_int(i);
  return is_u64(buffer.type()) ? static_cast<Exact>(static_cast<std::uint64_t>(value))
                               : static_cast<Exact>(value);
}

std::string text(const Buffer& buffer, std::int64_t i) {
  if (buffer.type().is_float()) return fmt::format("{}", buffer.get(i));
  const std::int64_t value = buffer.get_int(i);
  return is_u64(buffer.type()) ? fmt::format("{}", static_cast<std::uint64_t>(value))
                               : fmt::format("{}", value);
}

/// True if the integer type has no number as large, or as small.
bool is_out_of_range(Exact value, Type type) {
  if (type.is_bool()) return false;
  const Exact size = std::ldexp(Exact{1}, type.is_int() ? type.bits - 1 : type.bits);
  return value >= size || value < (type.is_int() ? -size : Exact{0});
}

/// Returns why the element is not a value of the type of `converted`; empty if it is.
std::string refusal(const Buffer& given, const Buffer& converted, std::int64_t i) {
  const Type type = converted.type();
  const Exact value = exact(given, i), found = exact(converted, i);
  if (type.is_float()) {
    if (std::isfinite(value) && !std::isfinite(found))
      return fmt::format("is out of the range of {}", to_string(type));
    if (given.type().is_float() || value == found) return "";
    return fmt::format("{} would round to {}", to_string(type), text(converted, i));
  }
  if (value == found) return "";
  if (type.is_bool()) return "is neither true nor false";
  if (is_out_of_range(value, type)) return fmt::format("is out of the range of {}", to_string(type));
  return "is not a whole number";
}

}  // namespace

Buffer constant_of_input(const ops::TensorInfo& input, const Buffer& given) {
  const bool has_shape =
      given.shape().size() == input.shape.size() &&
      std::ranges::equal(given.shape(), input.shape, [](std::int64_t have, const ops::Size& want) {
        return is_equal(want, have) != false;
      });
  const bool is_one = given.elements() == 1 && std::ranges::all_of(input.shape, [](const ops::Size& extent) {
                        return is_equal(extent, 1) != false;
                      });
  if (!has_shape && !is_one) {
    throw ModelError(fmt::format("the input '{}' is {}; the constant given for it is {}{}", input.name,
                                 to_string(input), to_string(given.type()),
                                 ops::to_string(ops::Ints(given.shape()))));
  }
  const Buffer value = given.converted(input.type);
  for (std::int64_t i = 0; i < value.elements() && given.type() != input.type; ++i) {
    if (const std::string why = refusal(given, value, i); !why.empty())
      throw ModelError(
          fmt::format("the input '{}' is {}; the constant given for it has the element {}, which {}",
                      input.name, to_string(input), text(given, i), why));
  }
  return has_shape ? value : value.reshaped(ops::Ints(input.shape.size(), 1));
}

}  // namespace tensordsl::onnx
