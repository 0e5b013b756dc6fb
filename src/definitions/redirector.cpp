#include "definitions/redirector.h"

#include "dsl/func_of.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {

void Redirector::redirect(const Func& from, const Func& to) {
  now_.insert_or_assign(&from.contents(), Replacement{from, to});
}

Func Redirector::now(const Func& func) const {
  const auto found = now_.find(&func.contents());
  return found == now_.end() ? func : found->second.to;
}

void Redirector::update(const Func& func) {
  bool is_changed = false;
  const Func copy = copy_with_reads(func, func.name(), [&](const Expr& call) {
    const auto found = now_.find(call->function.get());
    if (found == now_.end()) return call;
    is_changed = true;
    const Func& to = found->second.to;
    return ir::make_call(call.type(), to.shared(), to.name(), call->operands, call->component);
  });
  if (is_changed) redirect(func, copy);
}

}  // namespace tensordsl
