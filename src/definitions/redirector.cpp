#include "definitions/redirector.h"

#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::definitions {

void Redirector::redirect(const Func& from, const Func& to) {
  now_.insert_or_assign(&from.contents(), Replacement{from, to});
}

Func Redirector::now(const Func& func) const {
  const auto found = now_.find(&func.contents());
  return found == now_.end() ? func : found->second.to;
}

const Func* Redirector::replacement_of(const ir::Function& function) const {
  const auto found = now_.find(&function);
  return found == now_.end() ? nullptr : &found->second.to;
}

void Redirector::update(const Func& func) {
  if (!reads_replaced(func.contents())) return;
  redirect(func, copy_with_reads(func, func.name(), [&](const Expr& call) {
             const auto found = now_.find(call->function.get());
             if (found == now_.end()) return call;
             const Func& to = found->second.to;
             return ir::make_call(call.type(), to.shared(), to.name(), call->operands, call->component);
           }));
}

void Redirector::replace(const Func& func, const Func& to) {
  update(to);
  redirect(func, now(to));
}

bool Redirector::reads_replaced(const ir::Function& function) const {
  bool result = false;
  const auto look = [&](const Expr& expr) {
    ir::visit(expr, [&](const Expr& e) {
      result = result || (e->kind == ir::ExprKind::Call && e->function && now_.contains(e->function.get()));
      return !result;
    });
  };
  for (const ir::Definition& definition : function.definitions) {
    for (const Expr& expr : definition.expressions()) look(expr);
    for (const ir::ReductionAxis& axis : definition.domain) {
      look(axis.min);
      look(axis.extent);
    }
  }
  return result;
}

}  // namespace tensordsl::definitions
