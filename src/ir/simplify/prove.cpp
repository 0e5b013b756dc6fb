// Simplifier: constant bounds, congruences, and proofs that a sum is not negative.
#include <algorithm>

#include "base/arithmetic.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

/// Limits of a proof: the depth of replacements, and the number of all that it tries.
constexpr int kProofDepth = 4;
constexpr int kProofBudget = 64;

/// Returns the range of a type. i32 and i64 are unbounded: an end there is "unknown", not a bound to reason
/// with.
Interval of_type(Type type) {
  const bool wraps = type.bits < 32 || type.is_uint();
  if (type.is_float() || !wraps) return {};
  return type.bits == 64 ? Interval{.low = 0} : range_of(type);
}

/// The bounds of a result whose exact value would be within `exact`.
Interval wrapped(Type type, Interval exact) {
  if (type.bits == 64 && (exact.low == INT64_MIN || exact.high == INT64_MAX)) return {};
  return of_type(type).contains(exact) ? exact : of_type(type);
}

/// True if the multiple, and a sum of three such multiples, do not overflow: a proof must not rely on numbers
/// that wrapped.
bool is_exact_multiple(const LinearForm& form, std::int64_t factor) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 61;
  const auto fits = [&](std::int64_t number) {
    const std::int64_t product = saturating_mul(number, factor);
    return -kLargest <= product && product <= kLargest;
  };
  return fits(form.constant) &&
         std::ranges::all_of(form.terms(), [&](const Term& t) { return fits(t.coefficient); });
}

}  // namespace

template <typename T, typename Compute>
T Simplifier::remembered(Memo<T>& memo, const Expr& expr, Compute compute) {
  if (const auto at = memo.find(expr.get()); at != memo.end()) return at->second.second;
  const T result = compute();
  memo.try_emplace(expr.get(), expr, result);
  return result;
}

Interval Simplifier::bounds(const Expr& expr) {
  if (const std::int64_t* value = as_int(expr)) return Interval::point(*value);
  return remembered(bounds_, expr, [&] { return compute_bounds(expr); });
}

Interval Simplifier::bounds(const LinearForm& form) {
  Interval sum = Interval::point(form.constant);
  for (const Term& t : form.terms()) sum = sum + bounds(t.atom) * Interval::point(t.coefficient);
  return sum;
}

Interval Simplifier::bounds(const LaneForm& form, int lanes) {
  return bounds(form.base) + bounds(form.stride) * Interval{0, lanes - 1} + bounds(form.rest);
}

bool Simplifier::might_overflow(const Expr& sum) {
  return !range_of(sum.type().element()).contains(bounds(LaneForm(sum), sum.type().lanes)) &&
         reads_memory(sum);
}

Interval Simplifier::compute_bounds(const Expr& expr) {
  const ExprNode& e = *expr;
  switch (e.kind) {
    case ExprKind::Var: {
      const Variable* variable = find(e.name);
      return variable == nullptr ? of_type(e.type) : wrapped(e.type, variable->bounds);
    }
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Ramp:
      if (e.type.element() == Int(32)) return bounds(LaneForm(expr), e.type.lanes);
      if (e.kind == ExprKind::Ramp) return of_type(e.type);
      return wrapped(e.type,
                     e.kind == ExprKind::Add ? bounds(e[0]) + bounds(e[1]) : bounds(e[0]) - bounds(e[1]));
    case ExprKind::Mul:
      return wrapped(e.type, bounds(e[0]) * bounds(e[1]));
    case ExprKind::Div:
      return e.type.is_float() ? Interval{} : wrapped(e.type, floor_div(bounds(e[0]), bounds(e[1])));
    case ExprKind::Mod:
      return floor_mod(bounds(e[0]), bounds(e[1]));
    case ExprKind::Min:
      return min(bounds(e[0]), bounds(e[1]));
    case ExprKind::Max:
      return max(bounds(e[0]), bounds(e[1]));
    case ExprKind::Select:
      return hull(bounds(e[1]), bounds(e[2]));
    case ExprKind::Cast: {
      if (e[0].type().is_float()) return of_type(e.type);
      const Interval from = bounds(e[0]);
      return range_of(e.type).contains(from) ? from : of_type(e.type);
    }
    case ExprKind::Broadcast:
    case ExprKind::Slice:
      return bounds(e[0]);
    case ExprKind::Concat: {
      Interval all = bounds(e[0]);
      for (const Expr& part : e.operands) all = hull(all, bounds(part));
      return all;
    }
    case ExprKind::Intrinsic: {
      if (e.name == "bitwise_and") return bits_in_both(bounds(e[0]), bounds(e[1]), of_type(e.type));
      if (e.name == "promise_clamped") {
        const Interval value = bounds(e[0]), low = bounds(e[1]), high = bounds(e[2]);
        return {std::max(value.low, low.low), std::min(value.high, high.high)};
      }
      if (e.name == "popcount" || e.name == "count_leading_zeros") return {0, e.type.bits};
      if (!is_xor(e) && e.name != "bitwise_or") return of_type(e.type);
      return bits_in_either(bounds(e[0]), bounds(e[1]), of_type(e.type));
    }
    default:
      return of_type(e.type);
  }
}

Congruence Simplifier::congruence(const Expr& expr) {
  if (const std::int64_t* value = as_int(expr)) return Congruence::constant(*value);
  if (expr.type().element() != Int(32)) return {};  // narrower types wrap
  return remembered(congruences_, expr, [&] { return compute_congruence(expr); });
}

Congruence Simplifier::congruence(const LinearForm& form) {
  Congruence sum = Congruence::constant(form.constant);
  for (const Term& t : form.terms()) sum = sum + congruence(t.atom) * Congruence::constant(t.coefficient);
  return sum;
}

Congruence Simplifier::compute_congruence(const Expr& expr) {
  const ExprNode& e = *expr;
  switch (e.kind) {
    case ExprKind::Var: {
      const Variable* variable = find(e.name);
      const Expr definition = variable != nullptr ? variable->definition : Expr();
      return definition.defined() ? congruence(definition) : Congruence{};
    }
    case ExprKind::Add:
      return congruence(e[0]) + congruence(e[1]);
    case ExprKind::Sub:
      return congruence(e[0]) - congruence(e[1]);
    case ExprKind::Mul:
      return congruence(e[0]) * congruence(e[1]);
    case ExprKind::Div:
      return floor_div(congruence(e[0]), congruence(e[1]));
    case ExprKind::Mod:
      return floor_mod(congruence(e[0]), congruence(e[1]));
    case ExprKind::Min:
    case ExprKind::Max:
      return either(congruence(e[0]), congruence(e[1]));
    case ExprKind::Select:
      return either(congruence(e[1]), congruence(e[2]));
    case ExprKind::Broadcast:
    case ExprKind::Slice:
      return congruence(e[0]);
    case ExprKind::Intrinsic:
      // The bits that are 0 in both are 0 in the result.
      if (is_xor(e)) return {std::min(power_dividing(e[0]), power_dividing(e[1])), 0};
      return {};
    default:
      return {};
  }
}

bool Simplifier::proves(const LinearForm& form) {
  int budget = kProofBudget;
  return proves(form, kProofDepth, budget);
}

bool Simplifier::proves_not_negative(const Expr& expr) {
  if (bounds(expr).low >= 0) return true;
  return expr.type().element() == Int(32) && proves(LaneForm(expr), expr.type().lanes);
}

bool Simplifier::proves(const LaneForm& form, int lanes) {
  if (lanes == 1) return proves(form.base);
  if (!form.rest.is_zero()) return bounds(form, lanes).low >= 0;
  // Linear in the lane, so its extremes are in the first and the last one.
  return proves(form.base) && (form.stride.is_zero() || proves(form.base + form.stride * (lanes - 1)));
}

bool Simplifier::proves(const LinearForm& form, int depth, int& budget) {
  const Interval interval = bounds(form);
  if (interval.low >= 0) return true;
  if (interval.high < 0 || depth == 0 || --budget < 0 || !is_exact_multiple(form, 1)) return false;
  for (const Term& t : form.terms()) {
    if (proves_by_atom(form, t, depth, budget)) return true;
  }
  // form >= 0 if form - k*fact >= 0 for a fact that is not negative and k > 0; a useful k cancels an atom.
  for (const LinearForm& fact : not_negative_) {
    for (const Term& t : fact.terms()) {
      const std::int64_t coefficient = form.coefficient_of(t.atom);
      if (floor_mod(coefficient, t.coefficient) != 0) continue;
      const std::int64_t k = floor_div(coefficient, t.coefficient);
      if (k > 0 && is_exact_multiple(fact, k) && proves(form - fact * k, depth - 1, budget)) return true;
    }
  }
  return false;
}

bool Simplifier::proves_by_atom(const LinearForm& form, const Term& term, int depth, int& budget) {
  const ExprNode& atom = *term.atom;
  const auto with = [&](const Expr& replacement) {
    const LinearForm replacing(replacement);
    if (!is_exact_multiple(replacing, term.coefficient)) return false;
    LinearForm result = form;
    result.add_atom(term.atom, wrapping_sub(0, term.coefficient));
    result.add(replacing, term.coefficient);
    return proves(result, depth - 1, budget);
  };
  switch (atom.kind) {
    case ExprKind::Min:
    case ExprKind::Max: {
      // min(a, b) is at most each of the two, and one of them.
      const bool either_will_do = (atom.kind == ExprKind::Min) == (term.coefficient < 0);
      return either_will_do ? with(atom[0]) || with(atom[1]) : with(atom[0]) && with(atom[1]);
    }
    case ExprKind::Select:
      return with(atom[1]) && with(atom[2]);
    case ExprKind::Div: {
      // a - (c - 1) <= c*(a/c) <= a
      const std::int64_t* c = as_int(atom[1]);
      if (c == nullptr || *c <= 0) return false;
      const LinearForm dividend(atom[0]);
      if (!is_exact_multiple(form, *c) || !is_exact_multiple(dividend, term.coefficient)) return false;
      LinearForm scaled = form;
      scaled.add_atom(term.atom, wrapping_sub(0, term.coefficient));
      scaled.scale(*c);
      scaled.add(dividend, term.coefficient);
      if (term.coefficient > 0)
        scaled.constant = wrapping_sub(scaled.constant, wrapping_mul(*c - 1, term.coefficient));
      return proves(scaled, depth - 1, budget);
    }
    default:
      return false;
  }
}

}  // namespace tensordsl::ir
