// Simplifier: `/` and `%` of i32.
//
// Both split the numerator into a multiple of the divisor and a rest, and then check whether the rest stays
// between two multiples of the divisor.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/arithmetic.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

struct Split {
  LaneForm multiple, rest;
};

void split(const LinearForm& form, std::int64_t divisor, LinearForm& multiple, LinearForm& rest) {
  for (const Term& t : form.terms()) {
    (floor_mod(t.coefficient, divisor) == 0 ? multiple : rest).add_atom(t.atom, t.coefficient);
  }
  rest.constant = floor_mod(form.constant, divisor);
  multiple.constant = form.constant - rest.constant;
}

/// form = multiple + rest, where `divisor` divides all of `multiple` and no coefficient of `rest`, whose
/// constant is between 0 and it. The stride stays in one piece: a small negative one is better than a large
/// positive one.
Split split(const LaneForm& form, std::int64_t divisor) {
  Split result;
  split(form.base, divisor, result.multiple.base, result.rest.base);
  split(form.rest, divisor, result.multiple.rest, result.rest.rest);
  const bool whole_stride =
      floor_mod(std::gcd(form.stride.common_divisor(), form.stride.constant), divisor) == 0;
  (whole_stride ? result.multiple : result.rest).stride = form.stride;
  return result;
}

LaneForm exact_quotient_of(const LaneForm& form, std::int64_t divisor) {
  LaneForm result;
  result.base = exact_quotient(form.base, divisor);
  result.stride = exact_quotient(form.stride, divisor);
  result.rest = exact_quotient(form.rest, divisor);
  return result;
}

/// Divisors of `divisor` by which a part of `form` can be divided: the greatest first.
std::vector<std::int64_t> partial_divisors(const LaneForm& form, std::int64_t divisor) {
  std::vector<std::int64_t> result;
  for (const LinearForm* part : {&form.base, &form.stride, &form.rest}) {
    for (const Term& t : part->terms())
      result.push_back(std::gcd(floor_mod(t.coefficient, divisor), divisor));
  }
  std::ranges::sort(result, std::greater<>());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  std::erase_if(result, [&](std::int64_t d) { return d == 1 || d == divisor; });
  return result;
}

/// Returns a sum that is congruent modulo `divisor`, with coefficients smaller than it.
LinearForm reduced_modulo(const LinearForm& form, std::int64_t divisor) {
  LinearForm result(floor_mod(form.constant, divisor));
  for (const Term& t : form.terms()) {
    const std::int64_t coefficient = t.coefficient % divisor;
    // x % m is x modulo every divisor of m.
    const std::int64_t* m = t.atom->kind == ExprKind::Mod ? as_int((*t.atom)[1]) : nullptr;
    if (m != nullptr && *m != 0 && floor_mod(wrapping_mul(coefficient, *m), divisor) == 0) {
      result.add(reduced_modulo(LinearForm((*t.atom)[0]) * coefficient, divisor));
    } else {
      result.add_atom(t.atom, coefficient);
    }
  }
  result.constant = floor_mod(result.constant, divisor);
  return result;
}

}  // namespace

Expr Simplifier::finish_division(const Expr& expr) {
  const std::int64_t* divisor = as_int((*expr)[1]);
  if (!fits(LaneForm((*expr)[0]), expr.type())) return finish_with_rules(expr);
  if (divisor == nullptr) return divide_by_symbol(expr);
  if (*divisor <= 1) return finish_with_rules(expr);
  return expr->kind == ExprKind::Div ? divide(expr, *divisor) : modulo(expr, *divisor);
}

std::optional<std::int64_t> Simplifier::constant_quotient(const LaneForm& form, std::int64_t divisor,
                                                          int lanes) {
  const Interval range = bounds(form, lanes);
  if (range.low != INT64_MIN && range.high != INT64_MAX) {
    const std::int64_t quotient = floor_div(range.low, divisor);
    if (quotient == floor_div(range.high, divisor)) return quotient;
  }
  if (is_within(form, divisor, lanes)) return 0;
  return std::nullopt;
}

bool Simplifier::is_within(const LaneForm& form, std::int64_t limit, int lanes) {
  LaneForm last;
  last.base.constant = limit - 1;
  return proves(form, lanes) && proves(last - form, lanes);
}

/// All lanes have the same quotient by `block`, because the base's remainder is known and leaves room.
bool Simplifier::stays_in_block(const LaneForm& form, std::int64_t block, int lanes) {
  if (!form.rest.is_zero() || !form.stride.is_constant()) return false;
  const Congruence base = congruence(form.base);
  const std::int64_t modulus = std::gcd(base.modulus, block);
  const std::int64_t first = floor_mod(base.remainder, modulus);
  const Interval range =
      Interval::point(first) + Interval::point(form.stride.constant) * Interval{0, lanes - 1};
  return Interval{0, modulus - 1}.contains(range);
}

Expr Simplifier::divide(const Expr& expr, std::int64_t divisor) {
  const Type type = expr.type();
  const int lanes = type.lanes;
  const auto [multiple, rest] = split(LaneForm((*expr)[0]), divisor);
  LaneForm quotient = exact_quotient_of(multiple, divisor);

  if (const auto constant = constant_quotient(rest, divisor, lanes)) {
    quotient.base.constant = wrapping_add(quotient.base.constant, *constant);
    return finish_sum(std::move(quotient), expr);
  }
  const Expr numerator = *to_expr(rest, type);
  if (!same(numerator, (*expr)[0]) && might_overflow(numerator)) return finish_with_rules(expr);
  // (d*x + r)/(d*e) = x/e where 0 <= r < d
  for (const std::int64_t d : partial_divisors(rest, divisor)) {
    const auto [inner, small] = split(rest, d);
    if (!is_within(small, d, lanes)) continue;
    quotient.add(
        build(ExprKind::Div, *to_expr(exact_quotient_of(inner, d), type), make_int(type, divisor / d)));
    return finish_sum(std::move(quotient), expr);
  }
  if (!rest.is_scalar() && stays_in_block(rest, divisor, lanes)) {
    const Type scalar = type.element();
    const Expr block = build(ExprKind::Div, *to_expr(rest.base, scalar), make_int(scalar, divisor));
    quotient.add(make_broadcast(block, lanes));
    return finish_sum(std::move(quotient), expr);
  }
  if (quotient.is_constant() && quotient.base.constant == 0) return finish_with_rules(expr);
  quotient.add(build(ExprKind::Div, numerator, (*expr)[1]));
  return finish_sum(std::move(quotient), expr);
}

Expr Simplifier::modulo(const Expr& expr, std::int64_t divisor) {
  const Type type = expr.type();
  const int lanes = type.lanes;
  if (lanes == 1) {
    const std::int64_t remainder = congruence((*expr)[0]).modulo(divisor);
    if (remainder >= 0) return make_int(type, remainder);
  }
  const auto [multiple, rest] = split(LaneForm((*expr)[0]), divisor);

  if (const auto quotient = constant_quotient(rest, divisor, lanes)) {
    LaneForm result = rest;
    result.base.constant = wrapping_sub(result.base.constant, wrapping_mul(*quotient, divisor));
    return finish_sum(std::move(result), expr);
  }
  LaneForm smaller;
  smaller.base = reduced_modulo(rest.base, divisor);
  smaller.stride = rest.stride;
  smaller.rest = reduced_modulo(rest.rest, divisor);
  // The constant that is left of a removed remainder is the same in every lane.
  const std::int64_t constant = std::exchange(smaller.rest.constant, 0);
  smaller.base.constant = floor_mod(wrapping_add(smaller.base.constant, constant), divisor);
  if (const Expr numerator = *to_expr(smaller, type); !same(numerator, (*expr)[0])) {
    if (might_overflow(numerator)) return finish_with_rules(expr);
    return build(ExprKind::Mod, numerator, (*expr)[1]);
  }
  // (d*x + r)%(d*e) = (x%e)*d + r where 0 <= r < d
  for (const std::int64_t d : partial_divisors(rest, divisor)) {
    auto [inner, small] = split(rest, d);
    if (!is_within(small, d, lanes)) continue;
    small.add(build(ExprKind::Mod, *to_expr(exact_quotient_of(inner, d), type), make_int(type, divisor / d)),
              d);
    return finish_sum(std::move(small), expr);
  }
  if (!rest.is_scalar() && stays_in_block(rest, divisor, lanes)) {
    const Type scalar = type.element();
    LaneForm result = rest;
    result.base = LinearForm(build(ExprKind::Mod, *to_expr(rest.base, scalar), make_int(scalar, divisor)));
    return finish_sum(std::move(result), expr);
  }
  return finish_with_rules(expr);
}

// (x*n + y)/n -> x and (x*n + y)%n -> y where 0 <= y < n
Expr Simplifier::divide_by_symbol(const Expr& expr) {
  const Type type = expr.type();
  const LinearForm divisor((*expr)[1]);
  if (type.is_vector() || !proves(divisor - LinearForm(1))) return finish_with_rules(expr);

  const bool is_product = divisor.constant == 0 && divisor.terms().size() == 1;
  const std::int64_t coefficient = is_product ? divisor.terms()[0].coefficient : 1;
  const std::vector<Expr> factors =
      is_product ? factors_of(divisor.terms()[0].atom) : std::vector<Expr>{(*expr)[1]};

  LinearForm quotient, rest;
  const LinearForm numerator((*expr)[0]);
  rest.constant = numerator.constant;
  for (const Term& t : numerator.terms()) {
    std::vector<Expr> left = factors_of(t.atom);
    const bool divides =
        floor_mod(t.coefficient, coefficient) == 0 && std::ranges::all_of(factors, [&](const Expr& f) {
          const auto at = std::ranges::find_if(left, [&](const Expr& e) { return same(e, f); });
          if (at == left.end()) return false;
          left.erase(at);
          return true;
        });
    if (!divides) {
      rest.add_atom(t.atom, t.coefficient);
      continue;
    }
    Expr product = make_int(type, floor_div(t.coefficient, coefficient));
    for (const Expr& e : left) product = build(ExprKind::Mul, product, e);
    quotient.add(product);
  }

  const bool is_small = proves(rest) && proves(divisor - LinearForm(1) - rest);
  LaneForm result;
  if (is_small) {
    result.base = expr->kind == ExprKind::Div ? quotient : rest;
    return finish_sum(std::move(result), expr);
  }
  if (quotient.is_zero()) return finish_with_rules(expr);
  const Expr small = *to_expr(rest, type);
  if (might_overflow(small)) return finish_with_rules(expr);
  const Expr remaining = finish_with_rules(make_binary(expr->kind, small, (*expr)[1]));
  if (expr->kind == ExprKind::Mod) return remaining;
  result.base = quotient;
  result.base.add(remaining);
  return finish_sum(std::move(result), expr);
}

}  // namespace tensordsl::ir
