#include "lower/passes/expand_extrema.h"

#include "ir/expr_node.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Expr with_comparisons(const Expr& expr) {
  return rewrite(expr, [](const Expr& e) {
    if (e->kind != ExprKind::MinOrNan && e->kind != ExprKind::MaxOrNan) return e;
    const Expr &a = (*e)[0], &b = (*e)[1];
    const Expr is_beyond =
        e->kind == ExprKind::MinOrNan ? make_binary(ExprKind::Lt, b, a) : make_binary(ExprKind::Lt, a, b);
    return make_select(make_binary(ExprKind::Or, is_beyond, make_binary(ExprKind::Ne, b, b)), b, a);
  });
}

}  // namespace

Stmt expand_extrema(const Stmt& stmt) { return map_children(stmt, with_comparisons, expand_extrema); }

}  // namespace tensordsl::lower
