#include "lower/passes/arithmetic/expand_extrema.h"

#include <cmath>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/name_filter.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool passes_nans_on(const Expr& e) { return e->kind == ExprKind::MinOrNan || e->kind == ExprKind::MaxOrNan; }

/// True of a constant that is not a NaN.
bool is_number(const Expr& e) {
  const Expr& scalar = e->kind == ExprKind::Broadcast ? (*e)[0] : e;
  return scalar->kind == ExprKind::FloatImm && !std::isnan(scalar->number);
}

Expr with_comparisons(const Expr& expr) {
  if (!expr->names.may_share(NameFilter(kExtremumOrNan))) return expr;
  return rewrite(expr, [](const Expr& e) {
    if (!passes_nans_on(e)) return e;
    const Expr &a = (*e)[0], &b = (*e)[1];
    const Expr is_beyond =
        e->kind == ExprKind::MinOrNan ? make_binary(ExprKind::Lt, b, a) : make_binary(ExprKind::Lt, a, b);
    return make_select(is_number(b) ? is_beyond : is_beyond || make_binary(ExprKind::Ne, b, b), b, a);
  });
}

}  // namespace

Stmt expand_extrema(const Stmt& stmt) {
  if (!stmt->names.may_share(NameFilter(kExtremumOrNan))) return stmt;
  return map_children(stmt, with_comparisons, expand_extrema);
}

}  // namespace tensordsl::lower
