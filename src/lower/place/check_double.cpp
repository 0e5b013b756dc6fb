#include "lower/place/check_double.h"

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

bool has_double(const Function& function) {
  return std::ranges::any_of(function.types, is_double) ||
         std::ranges::any_of(function.definitions, [](const Definition& d) { return has_double(d); });
}

}  // namespace

bool has_double(const std::vector<FunctionPtr>& functions) {
  return std::ranges::any_of(functions, [](const FunctionPtr& f) { return has_double(*f); });
}

void check_double(const std::vector<FunctionPtr>& functions, std::optional<bool> has_fp64) {
  if (has_fp64.value_or(true)) return;
  for (const FunctionPtr& f : functions) {
    if (!has_double(*f)) continue;
    throw ScheduleError(fmt::format(
        "{}: it is computed in f64, which the device does not have (cl_khr_fp64); use f32", f->name));
  }
}

}  // namespace tensordsl::lower
