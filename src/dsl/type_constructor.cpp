#include "dsl/type_constructor.h"

#include <fmt/format.h>

namespace tensordsl {

std::string type_constructor(Type type) {
  if (type.is_bool()) return "Bool()";
  return fmt::format("{}({})", type.is_float() ? "Float" : type.is_uint() ? "UInt" : "Int", type.bits);
}

}  // namespace tensordsl
