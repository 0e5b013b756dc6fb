#include "lower/read/read_guards.h"

#include <functional>

namespace tensordsl::lower {

using namespace ir;

namespace {

using TestOf = std::function<Expr(const Expr& load)>;

Stmt guard_each(const Stmt& stmt, const std::string& tensor, const TestOf& test_of,
                const std::optional<std::string>& stored) {
  if (!stmt->names.may_share(NameFilter(tensor))) return stmt;
  const auto guard = [&](const Expr& e) {
    if (e->kind != ExprKind::Load || e->name != tensor) return e;
    return make_select(test_of(e), e, make_zero(e.type()));
  };
  const bool is_wanted = !stored || *stored == (stmt->kind == StmtKind::Store ? stmt->name : "");
  return map_children(
      stmt, [&](const Expr& expr) { return is_wanted ? rewrite(expr, guard) : expr; },
      [&](const Stmt& child) { return guard_each(child, tensor, test_of, stored); });
}

}  // namespace

Stmt guard_reads(const Stmt& stmt, const std::string& tensor, const std::vector<Expr>& extents,
                 const std::set<std::size_t>& dimensions, const std::optional<std::string>& stored) {
  const auto is_inside = [&](const Expr& load) {
    Expr inside;
    for (const std::size_t d : dimensions) {
      const Expr& index = (*load)[d];
      const Expr test = Expr(0) <= index && index < extents[d];
      inside = inside.defined() ? inside && test : test;
    }
    return inside;
  };
  return guard_each(stmt, tensor, is_inside, stored);
}

Stmt guard_reads(const Stmt& stmt, const std::string& tensor, const Expr& where,
                 const std::optional<std::string>& stored) {
  return guard_each(
      stmt, tensor, [&](const Expr&) { return where; }, stored);
}

}  // namespace tensordsl::lower
