#include "dsl/func_of.h"

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl {

using namespace ir;

Func func_of(const std::string& name, const std::vector<std::string>& dims,
             std::vector<Definition> definitions) {
  Func func(name);
  schedule::ScheduledFunction& function = *func.shared();
  function.dims = dims;
  for (const Expr& value : definitions.at(0).values) function.types.push_back(value.type());
  for (Definition& definition : definitions) {
    function.definitions.push_back(std::move(definition));
    function.stages.push_back(schedule::default_stage(function, function.definitions.back()));
  }
  return func;
}

Func copy_with_reads(const Func& f, const std::string& name, const ReplaceRead& replace) {
  const auto rewritten = [&](const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call) return e;
      return e->function ? replace(e) : make_call(e.type(), nullptr, name, e->operands, e->component);
    });
  };
  std::vector<Definition> definitions = f.contents().definitions;
  for (Definition& definition : definitions) {
    for (Expr& arg : definition.args) arg = rewritten(arg);
    for (Expr& value : definition.values) value = rewritten(value);
    for (ReductionAxis& axis : definition.domain) {
      axis.min = rewritten(axis.min);
      axis.extent = rewritten(axis.extent);
    }
    if (definition.predicate.defined()) definition.predicate = rewritten(definition.predicate);
  }
  return func_of(name, f.contents().dims, std::move(definitions));
}

}  // namespace tensordsl
