#include "ir/substitute.h"

#include <unordered_map>

namespace tensordsl::ir {
namespace {

/// One replacement over a whole tree; shared sub-expressions are rewritten once.
class Substituter {
 public:
  explicit Substituter(const Substitution& values) : values_(values) {}

  Expr rewrite(const Expr& expr) {
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

 private:
  const Substitution& values_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace

Expr substitute(const Expr& expr, const Substitution& values) {
  return values.empty() ? expr : Substituter(values).rewrite(expr);
}

Stmt substitute(const Stmt& stmt, const Substitution& values) {
  if (values.empty()) return stmt;
  const auto on_expr = [&](const Expr& e) { return substitute(e, values); };
  const bool binds = stmt->kind == StmtKind::For || stmt->kind == StmtKind::Let;
  if (binds && values.contains(stmt->name)) {
    Substitution inner = values;
    inner.erase(stmt->name);
    return map_children(stmt, on_expr, [&](const Stmt& s) { return substitute(s, inner); });
  }
  return map_children(stmt, on_expr, [&](const Stmt& s) { return substitute(s, values); });
}

Expr substitute(const Expr& expr, const std::string& name, const Expr& value) {
  return substitute(expr, Substitution{{name, value}});
}

Stmt substitute(const Stmt& stmt, const std::string& name, const Expr& value) {
  return substitute(stmt, Substitution{{name, value}});
}

}  // namespace tensordsl::ir
