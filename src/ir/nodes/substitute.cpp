#include "ir/nodes/substitute.h"

#include <unordered_map>

#include "ir/nodes/work_counter.h"

namespace tensordsl::ir {
namespace {

/// Replaces names in a whole tree; subtrees without the names are reused, and shared sub-expressions are
/// rewritten once.
class Substituter {
 public:
  explicit Substituter(const Substitution& values) : values_(values) {
    for (const auto& [name, value] : values) names_.add(NameFilter(name));
  }

  Expr rewrite(const Expr& expr) {
    if (!expr->names.may_share(names_)) return expr;
    WorkCounter::count();
    if (expr->kind == ExprKind::Var) {
      const auto it = values_.find(expr->name);
      return it == values_.end() ? expr : it->second;
    }
    if (expr->operands.empty()) return expr;
    const auto known = done_.find(expr.get());
    if (known != done_.end()) return known->second;
    Expr result = map_operands(expr, [this](const Expr& e) { return rewrite(e); });
    done_.emplace(expr.get(), result);
    return result;
  }

  Stmt rewrite(const Stmt& stmt) {
    if (!stmt->names.may_share(names_)) return stmt;
    const bool binds = stmt->kind == StmtKind::For || stmt->kind == StmtKind::Let;
    const auto on_expr = [this](const Expr& e) { return rewrite(e); };
    if (binds && values_.contains(stmt->name)) {
      Substitution inner = values_;
      inner.erase(stmt->name);
      return map_children(stmt, on_expr, [&](const Stmt& s) { return substitute(s, inner); });
    }
    return map_children(stmt, on_expr, [this](const Stmt& s) { return rewrite(s); });
  }

 private:
  const Substitution& values_;
  NameFilter names_;  // names that are replaced
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace

Expr substitute(const Expr& expr, const Substitution& values) { return Substituter(values).rewrite(expr); }

Stmt substitute(const Stmt& stmt, const Substitution& values) { return Substituter(values).rewrite(stmt); }

Expr substitute(const Expr& expr, const std::string& name, const Expr& value) {
  return substitute(expr, Substitution{{name, value}});
}

Stmt substitute(const Stmt& stmt, const std::string& name, const Expr& value) {
  return substitute(stmt, Substitution{{name, value}});
}

}  // namespace tensordsl::ir
