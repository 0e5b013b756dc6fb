// Simplifier: comparisons of i32, `!` and select.
#include <algorithm>

#include "base/arithmetic.h"
#include "ir/nodes/expr_order.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

/// Added and subtracted terms of a sum, both with positive coefficients, and its constant.
struct Sides {
  explicit Sides(const LinearForm& form) : constant(form.constant) {
    for (const Term& t : form.terms()) {
      if (t.coefficient > 0) {
        added.add_atom(t.atom, t.coefficient);
      } else {
        subtracted.add_atom(t.atom, wrapping_sub(0, t.coefficient));
      }
    }
  }
  LinearForm added, subtracted;
  std::int64_t constant;
};

Expr compared(ExprKind kind, const LinearForm& a, const LinearForm& b) {
  const auto left = to_expr(a, Int(32)), right = to_expr(b, Int(32));
  return left && right ? make_binary(kind, *left, *right) : Expr();
}

/// form >= 0 as people write it: 0 <= y, y < 56, xo*8 + xi < n, a <= b. Undefined if a number does not fit.
Expr not_negative(const LinearForm& form) {
  auto [added, subtracted, k] = Sides(form);
  if (subtracted.is_zero()) return compared(ExprKind::Le, LinearForm(-k), added);
  if (k == 0 && !added.is_zero()) return compared(ExprKind::Le, subtracted, added);
  // s <= a + k is s < a + k + 1, and s - k - 1 < a if k is negative; but s + 2147483647 < 0 would overflow.
  const bool stays = k >= 0 || added.is_zero();
  (stays ? added : subtracted).constant = stays ? k + 1 : -k - 1;
  return compared(ExprKind::Lt, subtracted, added);
}

/// form == 0 or form != 0.
Expr zero_or_not(ExprKind kind, const LinearForm& form) {
  const Term& first = *std::ranges::min_element(
      form.terms(), [](const Expr& a, const Expr& b) { return compare(a, b) < 0; }, &Term::atom);
  auto [added, subtracted, k] = Sides(first.coefficient > 0 ? form : form * -1);
  if (subtracted.is_zero() || k < 0) {
    subtracted.constant = -k;
  } else {
    added.constant = k;
  }
  return compared(kind, added, subtracted);
}

}  // namespace

Expr Simplifier::finish_comparison(const Expr& expr) {
  const ExprNode& e = *expr;
  const LaneForm a(e[0]), b(e[1]);
  // For i32 the exact values are compared, as a value that overflows is undefined.
  const bool is_exact = e[0].type().element() == Int(32) || (fits(a, e[0].type()) && fits(b, e[1].type()));
  if (!is_exact) return finish_with_rules(expr);
  LaneForm difference = b - a;
  normalize(difference.base);
  if (e.kind == ExprKind::Eq || e.kind == ExprKind::Ne) return finish_equality(expr, std::move(difference));
  if (e.kind == ExprKind::Lt) difference.base.constant -= 1;
  return finish_inequality(expr, std::move(difference));
}

Expr Simplifier::finish_inequality(const Expr& expr, LaneForm difference) {
  const int lanes = expr.type().lanes;
  LaneForm opposite;
  opposite.base.constant = -1;
  opposite = opposite - difference;
  if (proves(difference, lanes)) return make_int(expr.type(), true);
  if (proves(opposite, lanes)) return make_int(expr.type(), false);
  if (difference.is_scalar() && (*expr)[0].type() == Int(32)) {
    if (const auto shorter = without_decided_side(difference.base)) {
      difference.base = *shorter;
      return finish_inequality(expr, std::move(difference));
    }
  }

  const LinearForm& base = difference.base;
  const std::int64_t divisor = base.common_divisor();
  if (!difference.is_scalar()) {
    // A row of lanes that does not straddle 0 is on the same side as its first lane.
    if (divisor == 0 || !stays_in_block(difference, 0, lanes)) return finish_with_rules(expr);
  }
  LinearForm smallest = base;
  smallest.constant = floor_div(base.constant, divisor) * divisor;
  const Expr result = not_negative(exact_quotient(smallest, divisor));
  if (!result.defined() || might_overflow((*result)[0]) || might_overflow((*result)[1])) {
    return finish_with_rules(expr);
  }
  return make_broadcast(finish_with_rules(finish_sides(result)), lanes);
}

std::optional<LinearForm> Simplifier::without_decided_side(const LinearForm& not_negative) {
  for (const Term& t : not_negative.terms()) {
    if (t.atom->kind != ExprKind::Min && t.atom->kind != ExprKind::Max) continue;
    const LinearForm rest = not_negative - LinearForm(t.atom) * t.coefficient;
    const bool both_count = (t.atom->kind == ExprKind::Min) == (t.coefficient > 0);
    for (std::size_t side = 0; side < 2; ++side) {
      const LinearForm one = rest + LinearForm((*t.atom)[side]) * t.coefficient;
      if (proves(both_count ? one : LinearForm(-1) - one))
        return rest + LinearForm((*t.atom)[1 - side]) * t.coefficient;
    }
  }
  return std::nullopt;
}

Expr Simplifier::finish_sides(const Expr& comparison) {
  const Expr &a = (*comparison)[0], &b = (*comparison)[1];
  return with_operands(comparison, {finish_sum(LaneForm(a), a), finish_sum(LaneForm(b), b)});
}

Expr Simplifier::finish_equality(const Expr& expr, LaneForm difference) {
  const int lanes = expr.type().lanes;
  const bool is_eq = expr->kind == ExprKind::Eq;
  LaneForm opposite = LaneForm() - difference;
  if (proves(difference, lanes) && proves(opposite, lanes)) return make_int(expr.type(), is_eq);
  difference.base.constant -= 1;
  opposite.base.constant -= 1;
  const bool never = proves(difference, lanes) || proves(opposite, lanes);
  difference.base.constant += 1;
  if (never) return make_int(expr.type(), !is_eq);

  if (!difference.is_scalar()) return finish_with_rules(expr);
  const LinearForm& base = difference.base;
  const std::int64_t divisor = base.common_divisor();
  const Congruence known = congruence(base);
  if (floor_mod(base.constant, divisor) != 0 || known.remainder != 0) return make_int(expr.type(), !is_eq);
  const Expr result = zero_or_not(expr->kind, exact_quotient(base, divisor));
  if (!result.defined()) return finish_with_rules(expr);
  return make_broadcast(finish_with_rules(finish_sides(result)), lanes);
}

Expr Simplifier::finish_not(const Expr& expr) {
  const ExprNode& operand = *(*expr)[0];
  if (operand.kind == ExprKind::And || operand.kind == ExprKind::Or) {
    // De Morgan, if that needs no new `!`.
    const Expr a = finish_not(make_unary(ExprKind::Not, operand[0]));
    const Expr b = finish_not(make_unary(ExprKind::Not, operand[1]));
    if (a->kind != ExprKind::Not && b->kind != ExprKind::Not) {
      return build(operand.kind == ExprKind::And ? ExprKind::Or : ExprKind::And, a, b);
    }
  }
  return finish_with_rules(expr);
}

Expr Simplifier::finish_select(const Expr& expr) {
  const ExprNode& e = *expr;
  if (const std::int64_t* value = as_int(e[0])) return e[*value != 0 ? 1 : 2];
  if (e[0]->kind == ExprKind::Broadcast) return finish(with_operands(expr, {(*e[0])[0], e[1], e[2]}));
  return finish_with_rules(expr);
}

}  // namespace tensordsl::ir
