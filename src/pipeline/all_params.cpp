#include "pipeline/all_params.h"

#include "schedule/func_schedule.h"

namespace tensordsl {

std::map<std::string, Type> all_params(const std::vector<ir::FunctionPtr>& functions) {
  std::map<std::string, Type> params = ir::params_of(functions);
  const auto collect = [&](const Expr& expr) {
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Var) params.emplace(e->name, e.type());
      return true;
    });
  };
  for (const ir::FunctionPtr& f : functions) {
    const schedule::ScheduledFunction& function = schedule::scheduled(*f);
    for (const Expr& bound : function.schedule.bounds) collect(bound);
    for (const schedule::StageSchedule& stage : function.stages) {
      for (const schedule::Specialization& s : stage.specializations) collect(s.condition);
    }
  }
  return params;
}

}  // namespace tensordsl
