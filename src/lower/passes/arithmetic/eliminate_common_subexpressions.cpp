#include "lower/passes/arithmetic/eliminate_common_subexpressions.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/analyze/evaluation_guards.h"
#include "ir/nodes/sub_groups.h"
#include "lower/analyze/registers.h"
#include "lower/name_supply.h"
#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// State that all statements of a kernel share.
struct SharedKernel {
  const Images& images;
  std::set<std::string> registers;  // arrays that are variables already
  NameSupply names;
};

using Guard = EvaluationGuards::Guard;

constexpr int kLargestSharedExpr = 1 << 20;
/// OpenCL compilers limit the nesting of brackets, most often to 256.
constexpr int kMaxLevels = 64;

/// A distinct sub-expression of a statement.
struct Occurrence {
  int uses = 0;
  bool loads = false;         // may be evaluated only where the definition does so
  int size = 1;               // nodes of the printed text, up to a limit
  std::vector<Guard> guards;  // guards of its uses, if it loads
  Guard guard = EvaluationGuards::kAlways;
};

/// Names the sub-expressions that one statement computes more than once.
class StatementSharing {
 public:
  explicit StatementSharing(SharedKernel& kernel) : kernel_(kernel) {}

  Stmt run(const Stmt& s) {
    const Stmt stmt = map_children(
        s, [this](const Expr& e) { return distinct(e); }, nullptr);
    for (const Expr& e : stmt->exprs) use(e, EvaluationGuards::kAlways);
    // A sub-expression comes before its users.
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) count_operands(*it);
    for (const Expr& e : order_) {
      if (is_worth_a_name(e)) need(occurrences_.at(e.get()).guard);
    }
    Stmt result = map_children(
        stmt, [this](const Expr& e) { return rewritten(e); }, nullptr);
    for (auto it = values_.rbegin(); it != values_.rend(); ++it)
      result = make_let(it->first, it->second, result);
    return result;
  }

 private:
  Occurrence& of(const Expr& expr) { return occurrences_.at(expr.get()); }

  /// Returns the expression with equal sub-expressions as one node (hash consing).
  Expr distinct(const Expr& expr) {
    if (const auto it = met_.find(expr.get()); it != met_.end()) return it->second;
    const Expr rebuilt = map_operands(expr, [this](const Expr& e) { return distinct(e); });
    const auto [it, is_new] = nodes_.insert(rebuilt);
    met_.emplace(expr.get(), *it);
    if (is_new) {
      order_.push_back(*it);
      Occurrence& here = occurrences_[it->get()];
      here.loads = rebuilt->kind == ExprKind::Load && !is_read_anywhere(*rebuilt, kernel_.images);
      for (const Expr& operand : rebuilt->operands) {
        here.size = std::min(kLargestSharedExpr, here.size + of(operand).size);
        here.loads |= of(operand).loads;
      }
    }
    return *it;
  }

  void use(const Expr& expr, Guard guard) {
    Occurrence& here = of(expr);
    ++here.uses;
    if (here.loads) here.guards.push_back(guard);
  }

  void count_operands(const Expr& expr) {
    Occurrence& here = of(expr);
    if (here.loads) here.guard = guards_.any_of(here.guards);
    for (std::size_t i = 0; i < expr->operands.size(); ++i) {
      const Expr& operand = (*expr)[i];
      use(operand, of(operand).loads ? guards_.of_operand(here.guard, expr, i) : here.guard);
    }
  }

  /// Counts the uses of the conditions of `guard`, which a name under it tests once more.
  void need(Guard guard) {
    if (guard == EvaluationGuards::kAlways || !needed_.insert(guard).second) return;
    for (const Guard one : guards_.alternatives(guard)) need(one);
    if (!guards_.alternatives(guard).empty()) return;
    need(guards_.outer(guard));
    const auto tested = occurrences_.find(guards_.condition(guard).get());
    if (tested == occurrences_.end()) return;
    ++tested->second.uses;
    if (is_worth_a_name(guards_.condition(guard))) need(tested->second.guard);
  }

  bool is_worth_a_name(const Expr& expr) {
    const Occurrence& o = of(expr);
    if (o.uses < 2 || o.guard == EvaluationGuards::kUnknown) return false;
    switch (expr->kind) {
      case ExprKind::Ramp:
      case ExprKind::Broadcast:
      case ExprKind::Slice:
        return false;
      case ExprKind::Load:
        if (kernel_.registers.contains(expr->name)) return false;
        break;
      default:
        break;
    }
    if (is_sub_group_operation(*expr)) return false;
    if (expr->kind == ExprKind::Load && kernel_.images.contains(expr->name)) return true;
    // A small expression costs less twice than a condition of its own.
    if (o.guard != EvaluationGuards::kAlways)
      return o.size >= 12 || (expr->kind == ExprKind::Load && o.uses > 2);
    if (expr->kind == ExprKind::Load) return true;
    // Addresses and tests stay readable in place until they are long; values are worth a name from one
    // operation on.
    return o.size >= (expr.type().is_float() || o.loads ? 3 : 24);
  }

  Expr rewritten(const Expr& expr) {
    if (expr->operands.empty()) return expr;
    if (const auto it = done_.find(expr.get()); it != done_.end()) return it->second;
    Expr result = map_operands(expr, [this](const Expr& e) { return rewritten(e); });
    // The guard may contain this sub-expression; break the cycle by leaving it unnamed.
    if (!naming_.insert(expr.get()).second) return result;
    const bool is_too_deep = result->levels > kMaxLevels && of(expr).guard != EvaluationGuards::kUnknown &&
                             !is_sub_group_operation(*expr);
    if (is_too_deep || is_worth_a_name(expr)) {
      if (const Expr guard = condition_of(of(expr).guard); guard.defined())
        result = make_select(guard, result, make_zero(result.type()));
      result = named(result);
    }
    naming_.erase(expr.get());
    done_.emplace(expr.get(), result);
    return result;
  }

  /// Returns the condition of a guard; undefined if it always holds.
  Expr condition_of(Guard guard) {
    if (guard == EvaluationGuards::kAlways) return Expr();
    if (const auto it = conditions_.find(guard); it != conditions_.end()) return it->second;
    Expr condition;
    for (const Guard one : guards_.alternatives(guard)) {
      const Expr holds = condition_of(one);
      condition = condition.defined() ? make_binary(ExprKind::Or, condition, holds) : holds;
    }
    if (!condition.defined()) {
      const Expr outer = condition_of(guards_.outer(guard));
      condition = rewritten_condition(guards_.condition(guard));
      if (outer.defined()) condition = make_binary(ExprKind::And, outer, condition);
    }
    constexpr int kLevelsInPlace = 4;
    if (condition->levels > kLevelsInPlace) condition = named(condition);
    conditions_.emplace(guard, condition);
    return condition;
  }

  /// A negated condition is not a sub-expression of the statement, but its operand is.
  Expr rewritten_condition(const Expr& condition) {
    if (occurrences_.contains(condition.get())) return rewritten(condition);
    return map_operands(condition, [this](const Expr& e) { return rewritten_condition(e); });
  }

  Expr named(const Expr& value) {
    const std::string name = kernel_.names.numbered("s");
    values_.emplace_back(name, value);
    return make_var(name, value.type());
  }

  SharedKernel& kernel_;
  EvaluationGuards guards_;
  std::unordered_set<Expr, ExprHash, ExprSame> nodes_;
  std::vector<Expr> order_;  // nodes_ in order, operands first
  std::unordered_map<const ExprNode*, Expr> met_;
  std::unordered_map<const ExprNode*, Occurrence> occurrences_;
  std::set<Guard> needed_;
  std::unordered_map<const ExprNode*, Expr> done_;
  std::unordered_set<const ExprNode*> naming_;
  std::unordered_map<Guard, Expr> conditions_;
  std::vector<std::pair<std::string, Expr>> values_;
};

/// Puts `stmt` inside Lets "s.0", "s.1", ... Its body is not changed.
Stmt share_in_statement(const Stmt& stmt, SharedKernel& kernel) { return StatementSharing(kernel).run(stmt); }

Stmt share(const Stmt& stmt, SharedKernel& kernel) {
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return share(child, kernel); });
  return s->kind == StmtKind::Allocate || s->exprs.empty() ? s : share_in_statement(s, kernel);
}

}  // namespace

Stmt eliminate_common_subexpressions(const Stmt& stmt, const Images& images) {
  SharedKernel kernel{images, register_names(stmt), NameSupply(stmt)};
  return share(stmt, kernel);
}

}  // namespace tensordsl::lower
