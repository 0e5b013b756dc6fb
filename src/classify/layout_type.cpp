#include "classify/layout_type.h"

#include <algorithm>

namespace tensordsl::classify {

LayoutType layout_type_of(const std::vector<Classification>& funcs, bool is_bijection) {
  const bool only_moves =
      std::ranges::all_of(funcs, [](const Classification& c) { return c.kind == Class::Movement; });
  if (only_moves) return {is_bijection, false};
  const bool accumulates = std::ranges::any_of(
      funcs, [](const Classification& c) { return c.kind != Class::Movement && c.kind != Class::Pointwise; });
  return {accumulates, true};
}

std::string to_string(LayoutType type) {
  return std::string(type.depends_on_input ? "ILD" : "ILI") +
         (type.has_variable_output ? " & Variable" : " & Fixed");
}

}  // namespace tensordsl::classify
