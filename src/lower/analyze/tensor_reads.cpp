#include "lower/analyze/tensor_reads.h"

#include "ir/nodes/name_filter.h"

namespace tensordsl::lower {

using namespace ir;

bool reads(const Expr& expr, const std::string& tensor) {
  const NameFilter name(tensor);
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || (e->kind == ExprKind::Load && e->name == tensor);
    return !found && e->names.may_share(name);
  });
  return found;
}

bool reads(const Stmt& stmt, const std::string& tensor) {
  const NameFilter name(tensor);
  bool found = false;
  visit(
      stmt, [&](const Stmt& s) { return !found && s->names.may_share(name); },
      [&](const Expr& expr) { found = found || reads(expr, tensor); });
  return found;
}

Stmt without_reads(const Stmt& stmt, const std::string& tensor) {
  if (!stmt->names.may_share(NameFilter(tensor))) return stmt;
  return map_children(
      stmt,
      [&](const Expr& expr) {
        return rewrite(expr, [&](const Expr& e) {
          return e->kind == ExprKind::Load && e->name == tensor ? make_zero(e.type()) : e;
        });
      },
      [&](const Stmt& child) { return without_reads(child, tensor); });
}

}  // namespace tensordsl::lower
