#include "ir/analyze/select_cases.h"

namespace tensordsl::ir {

Expr first_select(const Expr& index) {
  Expr found;
  visit(index, [&](const Expr& e) {
    if (!found.defined() && e->kind == ExprKind::Select && !e.type().is_vector()) found = e;
    return !found.defined() && e->kind != ExprKind::Load && e->kind != ExprKind::Call;
  });
  return found;
}

Expr index_in_case(const Expr& index, const Expr& choice, bool truth) {
  const Expr& side = (*choice)[truth ? 1 : 2];
  return rewrite(index, [&](const Expr& e) { return same(e, choice) ? side : e; });
}

}  // namespace tensordsl::ir
