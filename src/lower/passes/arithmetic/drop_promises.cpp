#include "lower/passes/arithmetic/drop_promises.h"

#include "ir/nodes/name_filter.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr const char* kPromise = "promise_clamped";

}  // namespace

Expr without_promises(const Expr& expr) {
  if (!expr->names.may_share(NameFilter(kPromise))) return expr;
  return rewrite(expr, [](const Expr& e) {
    return e->kind == ExprKind::Intrinsic && e->name == kPromise ? (*e)[0] : e;
  });
}

Stmt drop_promises(const Stmt& stmt) {
  if (!stmt->names.may_share(NameFilter(kPromise))) return stmt;
  return map_children(stmt, without_promises, drop_promises);
}

}  // namespace tensordsl::lower
