#include "lower/check_double.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_double(Type type) { return type.element() == Float(64); }

bool has_double(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || is_double(e.type());
    return !found;
  });
  return found;
}

bool has_double(const Definition& definition) {
  return std::ranges::any_of(definition.expressions(), [](const Expr& e) { return has_double(e); });
}

}  // namespace

void check_double(const std::vector<FunctionPtr>& functions, std::optional<bool> has_fp64) {
  if (has_fp64.value_or(true)) return;
  for (const FunctionPtr& f : functions) {
    const auto uses_it = [](const Definition& d) { return has_double(d); };
    if (std::ranges::none_of(f->types, is_double) && std::ranges::none_of(f->definitions, uses_it)) continue;
    throw ScheduleError(fmt::format(
        "{}: it is computed in f64, which the device does not have (cl_khr_fp64); use f32", f->name));
  }
}

}  // namespace tensordsl::lower
