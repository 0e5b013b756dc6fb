#include "ir/analyze/uses_outside_reads.h"

namespace tensordsl::ir {

bool uses_outside_reads(const Expr& expr, const std::string& variable) {
  const NameFilter filter(variable);
  bool found = false;
  visit(expr, [&](const Expr& e) {
    if (e->kind == ExprKind::Load || e->kind == ExprKind::Call || !e->names.may_share(filter)) return false;
    found = found || (e->kind == ExprKind::Var && e->name == variable);
    return !found;
  });
  return found;
}

}  // namespace tensordsl::ir
