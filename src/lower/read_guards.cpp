#include "lower/read_guards.h"

namespace tensordsl::lower {

using namespace ir;

Stmt guard_reads(const Stmt& stmt, const std::string& tensor, const std::vector<Expr>& extents,
                 const std::set<std::size_t>& dimensions, const std::optional<std::string>& stored) {
  if (!stmt->names.may_share(NameFilter(tensor))) return stmt;
  const auto guard = [&](const Expr& e) {
    if (e->kind != ExprKind::Load || e->name != tensor) return e;
    Expr inside;
    for (const std::size_t d : dimensions) {
      const Expr& index = (*e)[d];
      const Expr test = Expr(0) <= index && index < extents[d];
      inside = inside.defined() ? inside && test : test;
    }
    return make_select(inside, e, make_zero(e.type()));
  };
  const bool is_wanted = !stored || *stored == (stmt->kind == StmtKind::Store ? stmt->name : "");
  return map_children(
      stmt, [&](const Expr& expr) { return is_wanted ? rewrite(expr, guard) : expr; },
      [&](const Stmt& child) { return guard_reads(child, tensor, extents, dimensions, stored); });
}

}  // namespace tensordsl::lower
