#include "lower/analyze/parameters.h"

#include <fmt/format.h>

#include "schedule/schedule.h"

namespace tensordsl::lower {

using namespace ir;

std::set<std::string> parameters_of(const std::vector<FunctionPtr>& functions) {
  std::set<std::string> names;
  const auto collect = [&](const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) names.insert(e->name);
      return true;
    });
  };
  for (const auto& [name, type] : params_of(functions)) names.insert(name);
  for (const FunctionPtr& f : functions) {
    for (const Expr& e : schedule::scheduled(*f).schedule.bounds) collect(e);
    for (const schedule::StageSchedule& stage : schedule::scheduled(*f).stages) {
      for (const schedule::Specialization& s : stage.specializations) collect(s.condition);
    }
    for (int d = 0; d < f->rank(); ++d) names.insert(fmt::format("{}_extent_{}", f->name, d));
  }
  return names;
}

}  // namespace tensordsl::lower
