#include "lower/passes/vectors/expand_broadcasts.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/nodes/lazy_operands.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

using Bindings = std::vector<std::pair<std::string, Expr>>;  // a variable and the broadcast it holds

bool is_scalar_let(const Stmt& s) {
  return s->kind == StmtKind::Let && s->value().type().lanes == 1 && s->value().type().is_float();
}

/// Broadcasts of scalars that have a name.
class BroadcastsOfNames {
 public:
  explicit BroadcastsOfNames(const Stmt& kernel) { run(kernel); }

  /// Returns the broadcasts of the name that `let` binds, each width once, in the order of the text.
  std::vector<Expr> of(const Stmt& let) const {
    const auto it = found_.find(let.get());
    return it == found_.end() ? std::vector<Expr>() : it->second;
  }

 private:
  void run(const Stmt& s) {
    for (const Expr& expr : s->exprs) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Broadcast && (*e)[0]->kind == ExprKind::Var) note(e);
        return true;
      });
    }
    const bool binds = is_scalar_let(s);
    const StmtNode* outer = binds ? std::exchange(binding_[s->name], s.get()) : nullptr;
    for (const Stmt& child : s->body) run(child);
    if (binds) binding_[s->name] = outer;
  }

  void note(const Expr& broadcast) {
    const auto it = binding_.find((*broadcast)[0]->name);
    if (it == binding_.end() || it->second == nullptr) return;
    std::vector<Expr>& found = found_[it->second];
    const bool is_known =
        std::any_of(found.begin(), found.end(), [&](const Expr& e) { return e.type() == broadcast.type(); });
    if (!is_known) found.push_back(broadcast);
  }

  std::unordered_map<std::string, const StmtNode*> binding_;  // statements that bind the names in scope
  std::unordered_map<const StmtNode*, std::vector<Expr>> found_;
};

class Expansion {
 public:
  explicit Expansion(const Stmt& kernel) : of_names_(kernel), names_(kernel) {}

  Stmt run(const Stmt& s) {
    if (is_scalar_let(s)) return run_named(s);
    Bindings variables;
    std::vector<Expr> exprs;
    for (const Expr& e : s->exprs) {
      seen_.clear();
      collect(e, variables);
      exprs.push_back(replaced(e));
    }
    forget(variables);
    auto next = exprs.begin();
    const Stmt result = map_children(
        s, [&](const Expr&) { return *next++; }, [&](const Stmt& child) { return run(child); });
    return bound(result, variables);
  }

 private:
  /// A scalar with a name: the vectors of it are made where it is.
  Stmt run_named(const Stmt& let) {
    Bindings variables;
    for (const Expr& broadcast : of_names_.of(let)) name(broadcast, variables);
    const Stmt body = run(let->body[0]);
    forget(variables);
    return make_let(let->name, let->value(), bound(body, variables));
  }

  void name(const Expr& broadcast, Bindings& variables) {
    if (known_.contains(broadcast)) return;
    const std::string variable = names_.numbered("v");
    known_.emplace(broadcast, make_var(variable, broadcast.type()));
    variables.emplace_back(variable, broadcast);
  }

  void forget(const Bindings& variables) {
    for (const auto& [variable, broadcast] : variables) known_.erase(broadcast);
  }

  /// The operands of arithmetic that are always evaluated.
  void collect(const Expr& expr, Bindings& variables) {
    if (!seen_.insert(expr.get()).second) return;
    for (std::size_t i = 0; i < expr->operands.size(); ++i) {
      if (is_lazy_operand(expr, i)) continue;
      const Expr& operand = (*expr)[i];
      const bool is_scalar =
          operand->kind == ExprKind::Broadcast && operand.type().is_float() && !is_const(operand);
      if (is_scalar && is_arithmetic(expr->kind)) name(operand, variables);
      collect(operand, variables);
    }
  }

  Expr replaced(const Expr& expr) const {
    if (known_.empty()) return expr;
    return rewrite(expr, [&](const Expr& e) {
      const auto it = e->kind == ExprKind::Broadcast ? known_.find(e) : known_.end();
      return it == known_.end() ? e : it->second;
    });
  }

  static Stmt bound(Stmt stmt, const Bindings& variables) {
    for (auto it = variables.rbegin(); it != variables.rend(); ++it)
      stmt = make_let(it->first, it->second, stmt);
    return stmt;
  }

  const BroadcastsOfNames of_names_;
  std::unordered_map<Expr, Expr, ExprHash, ExprSame> known_;  // the broadcasts that have a variable here
  std::unordered_set<const ExprNode*> seen_;                  // nodes of the current expression
  NameSupply names_;
};

}  // namespace

Stmt expand_broadcasts(const Stmt& stmt) { return Expansion(stmt).run(stmt); }

}  // namespace tensordsl::lower
