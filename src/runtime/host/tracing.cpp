#include "runtime/host/tracing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tensordsl {
namespace runtime {

std::string digits_of(Type type, Scalar value) {
  if (type.is_bool()) return value.i != 0 ? "true" : "false";
  if (type == Float(64)) return fmt::format("{}", value.f);
  if (type.is_float()) return fmt::format("{}", static_cast<float>(value.f));
  return type.is_uint() ? fmt::format("{}", static_cast<std::uint64_t>(value.i)) : fmt::format("{}", value.i);
}

}  // namespace runtime

std::string TraceEvent::to_string() const {
  const char* what = kind == Kind::Load ? "load" : "store";
  if (kernel.empty()) return fmt::format("{} {}({}) = {}", what, tensor, fmt::join(index, ", "), value);
  return fmt::format("kernel {}: {} {}[{}] = {}", kernel, what, tensor, fmt::join(index, ", "), value);
}

}  // namespace tensordsl
