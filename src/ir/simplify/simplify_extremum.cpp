// Simplifier: min and max of i32.
#include <algorithm>

#include "ir/nodes/expr_order.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

/// Number of operands above which they are no longer compared with each other.
constexpr std::size_t kMaxCompared = 8;

bool constants_last(const Expr& a, const Expr& b) {
  return is_const(a) != is_const(b) ? is_const(b) : compare(a, b) < 0;
}

}  // namespace

Expr Simplifier::finish_extremum(const Expr& expr) {
  const ExprKind kind = expr->kind;
  std::vector<Expr> operands = operands_of_chain(expr, kind);
  if (operands.size() <= kMaxCompared) {
    do {
      drop_beaten(kind, operands);
    } while (merge_pair(kind, operands));
  }
  std::ranges::stable_sort(operands, constants_last);
  Expr result = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    result = finish_with_rules(make_binary(kind, result, operands[i]));
  }
  return result;
}

/// Drops every operand that another one is always at least as good as.
void Simplifier::drop_beaten(ExprKind kind, std::vector<Expr>& operands) {
  const auto beats = [&](const Expr& a, const Expr& b) {
    LaneForm difference = kind == ExprKind::Min ? LaneForm(b) - LaneForm(a) : LaneForm(a) - LaneForm(b);
    normalize(difference.base);
    return proves(difference, a.type().lanes);
  };
  for (auto at = operands.begin(); at != operands.end();) {
    const bool beaten =
        std::ranges::any_of(operands, [&](const Expr& other) { return &other != &*at && beats(other, *at); });
    at = beaten ? operands.erase(at) : at + 1;
  }
}

/// Merges the first two operands that have terms in common.
bool Simplifier::merge_pair(ExprKind kind, std::vector<Expr>& operands) {
  for (auto a = operands.begin(); a != operands.end(); ++a) {
    for (auto b = a + 1; b != operands.end(); ++b) {
      const Expr merged = without_common_terms(kind, *a, *b);
      if (!merged.defined()) continue;
      *a = merged;
      operands.erase(b);
      return true;
    }
  }
  return false;
}

Expr Simplifier::without_common_terms(ExprKind kind, const Expr& a, const Expr& b) {
  const Type type = a.type();
  if (type.is_vector()) return Expr();
  const LinearForm f(a), g(b);
  LinearForm common;
  for (const Term& t : f.terms()) {
    if (g.coefficient_of(t.atom) == t.coefficient) common.add_atom(t.atom, t.coefficient);
  }
  if (!f.is_constant() && !g.is_constant() && f.constant == g.constant) common.constant = f.constant;
  if (common.is_zero() || !fits(f, type) || !fits(g, type)) return Expr();

  const Expr rest = build(kind, *to_expr(f - common, type), *to_expr(g - common, type));
  LaneForm sum(rest);
  sum.base.add(common);
  return finish_sum(std::move(sum), make_binary(kind, a, b));
}

}  // namespace tensordsl::ir
