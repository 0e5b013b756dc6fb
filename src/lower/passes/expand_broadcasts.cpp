#include "lower/passes/expand_broadcasts.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lower/lazy_operands.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

using Variables = std::unordered_map<Expr, Expr, ExprHash, ExprSame>;

class Expansion {
 public:
  /// `known`: the broadcasts of named scalars that have a variable already.
  Stmt run(const Stmt& s, const Variables& known) {
    if (s->kind == StmtKind::Let && s->exprs[0].type().lanes == 1 && s->exprs[0].type().is_float())
      return run_named(s, known);
    std::vector<std::pair<std::string, Expr>> variables;
    Variables here = known;
    const Stmt result = map_children(
        s,
        [&](const Expr& e) {
          seen_.clear();
          collect(e, here, variables);
          return replaced(e, here);
        },
        [&](const Stmt& child) { return run(child, known); });
    return bound(result, variables);
  }

 private:
  /// A scalar with a name: the vectors of it are made where it is.
  Stmt run_named(const Stmt& let, const Variables& known) {
    const Expr scalar = make_var(let->name, let->exprs[0].type());
    Variables inner = known;
    std::vector<std::pair<std::string, Expr>> variables;
    visit(let->body[0], nullptr, [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Broadcast && same((*e)[0], scalar)) name(e, inner, variables);
        return true;
      });
    });
    return make_let(let->name, let->exprs[0], bound(run(let->body[0], inner), variables));
  }

  void name(const Expr& broadcast, Variables& known, std::vector<std::pair<std::string, Expr>>& variables) {
    if (known.contains(broadcast)) return;
    const std::string variable = fmt::format("v.{}", next_++);
    known.emplace(broadcast, make_var(variable, broadcast.type()));
    variables.emplace_back(variable, broadcast);
  }

  /// The operands of arithmetic that are always evaluated.
  void collect(const Expr& expr, Variables& known, std::vector<std::pair<std::string, Expr>>& variables) {
    if (!seen_.insert(expr.get()).second) return;
    for (std::size_t i = 0; i < expr->operands.size(); ++i) {
      if (is_lazy_operand(expr, i)) continue;
      const Expr& operand = (*expr)[i];
      const bool is_scalar =
          operand->kind == ExprKind::Broadcast && operand.type().is_float() && !is_const(operand);
      if (is_scalar && is_arithmetic(expr->kind)) name(operand, known, variables);
      collect(operand, known, variables);
    }
  }

  static bool is_arithmetic(ExprKind kind) {
    return kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul || kind == ExprKind::Div ||
           kind == ExprKind::Min || kind == ExprKind::Max;
  }

  static Expr replaced(const Expr& expr, const Variables& variables) {
    if (variables.empty()) return expr;
    return rewrite(expr, [&](const Expr& e) {
      const auto it = e->kind == ExprKind::Broadcast ? variables.find(e) : variables.end();
      return it == variables.end() ? e : it->second;
    });
  }

  static Stmt bound(Stmt stmt, const std::vector<std::pair<std::string, Expr>>& variables) {
    for (auto it = variables.rbegin(); it != variables.rend(); ++it)
      stmt = make_let(it->first, it->second, stmt);
    return stmt;
  }

  std::unordered_set<const ExprNode*> seen_;  // in the expression at hand
  int next_ = 0;
};

}  // namespace

Stmt expand_broadcasts(const Stmt& stmt) { return Expansion().run(stmt, {}); }

}  // namespace tensordsl::lower
