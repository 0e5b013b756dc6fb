// Simplifier: sums and products of i32.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "base/arithmetic.h"
#include "ir/nodes/expr_order.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

/// A product with more terms than this after multiplying out is not multiplied out.
constexpr std::size_t kMaxTermsMultipliedOut = 16;

/// coefficient * product of factors
struct Product {
  std::int64_t coefficient = 1;
  std::vector<Expr> factors;

  void add_factors(const Expr& atom) {
    for (Expr& f : factors_of(atom)) factors.push_back(std::move(f));
  }
};

bool is_sum(const Expr& e) { return e->kind == ExprKind::Add || e->kind == ExprKind::Sub; }

bool has_sum_factor(const Expr& atom) {
  return atom->kind == ExprKind::Mul && std::ranges::any_of(factors_of(atom), is_sum);
}

/// Multiplies `product` by `form`, which stays one factor if it is a sum; the common divisor of its numbers
/// goes to the coefficient, the sign too if all its terms are subtracted.
void multiply(Product& product, const LinearForm& form, Type type) {
  if (form.is_constant()) {
    product.coefficient = wrapping_mul(product.coefficient, form.constant);
    return;
  }
  std::int64_t content = std::gcd(form.common_divisor(), form.constant == INT64_MIN ? 1 : form.constant);
  if (std::ranges::none_of(form.terms(), [](const Term& t) { return t.coefficient > 0; })) content = -content;
  const LinearForm primitive = exact_quotient(form, content);
  product.coefficient = wrapping_mul(product.coefficient, content);
  if (primitive.terms().size() == 1 && primitive.constant == 0) {
    product.add_factors(primitive.terms()[0].atom);
  } else {
    product.factors.push_back(to_expr(primitive, type).value());
  }
}

LinearForm to_form(Product product) {
  if (product.factors.empty()) return LinearForm(product.coefficient);
  std::ranges::stable_sort(product.factors, [](const Expr& a, const Expr& b) { return compare(a, b) < 0; });
  Expr atom = product.factors[0];
  for (std::size_t i = 1; i < product.factors.size(); ++i)
    atom = make_binary(ExprKind::Mul, atom, product.factors[i]);
  LinearForm form;
  form.add_atom(atom, product.coefficient);
  return form;
}

LinearForm product_of(const LinearForm& a, const LinearForm& b, Type type) {
  Product product;
  multiply(product, a, type);
  multiply(product, b, type);
  return to_form(std::move(product));
}

/// a*b with both multiplied out.
LinearForm multiplied_out(const LinearForm& a, const LinearForm& b) {
  LinearForm result = b * a.constant;
  for (const Term& t : a.terms()) {
    result.add_atom(t.atom, wrapping_mul(t.coefficient, b.constant));
    for (const Term& u : b.terms()) {
      Product product;
      product.coefficient = wrapping_mul(t.coefficient, u.coefficient);
      product.add_factors(t.atom);
      product.add_factors(u.atom);
      result.add(to_form(std::move(product)));
    }
  }
  return result;
}

}  // namespace

Expr Simplifier::finish_sum(LaneForm sum, const Expr& otherwise) {
  normalize(sum.base);
  merge_extremum(sum.base);
  if (sum.is_constant()) {
    const bool overflows = !range_of(otherwise.type().element()).contains(sum.base.constant);
    return overflows ? otherwise : make_int(otherwise.type(), sum.base.constant);
  }
  return to_expr(sum, otherwise.type()).value_or(otherwise);
}

Expr Simplifier::finish_product(const Expr& expr) {
  const Type scalar = expr.type().element();
  const LaneForm a((*expr)[0]), b((*expr)[1]);
  if (!fits(a, scalar) || !fits(b, scalar)) return expr;
  LaneForm result;
  if (a.is_constant() || b.is_constant()) {
    result = a.is_constant() ? b : a;
    result.scale(a.is_constant() ? a.base.constant : b.base.constant);
  } else if (a.rest.is_zero() && b.rest.is_zero() && (a.stride.is_zero() || b.stride.is_zero())) {
    result.base = product_of(a.base, b.base, scalar);
    result.stride =
        a.stride.is_zero() ? product_of(a.base, b.stride, scalar) : product_of(a.stride, b.base, scalar);
  } else {
    return compare((*expr)[0], (*expr)[1]) <= 0 ? expr : with_operands(expr, {(*expr)[1], (*expr)[0]});
  }
  return finish_sum(std::move(result), expr);
}

void Simplifier::normalize(LinearForm& sum) {
  merge_quotients(sum);
  cancel_products(sum);
}

void Simplifier::merge_quotients(LinearForm& sum) {
  const auto merge_one = [&] {
    for (const Term& t : sum.terms()) {
      // A copy, as merging changes the terms.
      const Term term = t;
      if (term.atom->kind == ExprKind::Mod && merge_remainder(sum, term)) return true;
      if (term.atom->kind == ExprKind::Div && merge_quotient(sum, term)) return true;
    }
    return false;
  };
  while (merge_one()) {
  }
}

// k*((y/c)*c) + k*(x%c) -> k*y, where y - x is a multiple of c, and neither overflows
bool Simplifier::merge_congruent(LinearForm& sum, const Term& remainder, std::int64_t c) {
  const std::int64_t wanted = wrapping_mul(remainder.coefficient, c);
  if (c == 0 || wanted == 0) return false;
  const Expr& x = (*remainder.atom)[0];
  for (const Term& t : sum.terms()) {
    if (t.coefficient != wanted || t.atom->kind != ExprKind::Div || !same((*t.atom)[1], (*remainder.atom)[1]))
      continue;
    const Expr& y = (*t.atom)[0];
    const LinearForm difference = LinearForm(y) - LinearForm(x);
    const bool is_multiple =
        floor_mod(difference.constant, c) == 0 && std::ranges::all_of(difference.terms(), [&](const Term& d) {
          return floor_mod(d.coefficient, c) == 0;
        });
    if (!is_multiple || (!same(x, y) && (might_overflow(x) || might_overflow(y)))) continue;
    const Term quotient = t;
    sum.add_atom(quotient.atom, wrapping_sub(0, wanted));
    sum.add_atom(remainder.atom, wrapping_sub(0, remainder.coefficient));
    sum.add((*quotient.atom)[0], remainder.coefficient);
    return true;
  }
  return false;
}

// k*((x/d)*d) + k*(x%d) -> k*x, for d != 0
bool Simplifier::merge_remainder(LinearForm& sum, const Term& term) {
  const Expr &x = (*term.atom)[0], &d = (*term.atom)[1];
  if (const std::int64_t* divisor = as_int(d)) return merge_congruent(sum, term, *divisor);
  const Expr quotient = make_binary(ExprKind::Div, x, d);
  const LinearForm form(d);
  if (!fits(form, d.type())) return false;
  const LinearForm multiple = product_of(form, LinearForm(quotient), d.type());
  if (sum.coefficient_of(multiple.terms()[0].atom) == 0 || !proves(form - LinearForm(1))) return false;
  const Term& other = multiple.terms()[0];
  const std::int64_t wanted = wrapping_mul(term.coefficient, other.coefficient);
  if (wanted == 0 || sum.coefficient_of(other.atom) != wanted) return false;
  sum.add_atom(other.atom, wrapping_sub(0, wanted));
  sum.add_atom(term.atom, wrapping_sub(0, term.coefficient));
  sum.add(x, term.coefficient);
  return true;
}

// k*x - k*((x/c)*c) -> k*(x%c)
bool Simplifier::merge_quotient(LinearForm& sum, const Term& term) {
  const Expr& x = (*term.atom)[0];
  const std::int64_t* c = as_int((*term.atom)[1]);
  if (c == nullptr || *c <= 0 || floor_mod(term.coefficient, *c) != 0) return false;
  const std::int64_t k = wrapping_sub(0, floor_div(term.coefficient, *c));
  const LinearForm form(x);
  const bool is_there = std::ranges::all_of(form.terms(), [&](const Term& t) {
    return sum.coefficient_of(t.atom) == wrapping_mul(t.coefficient, k);
  });
  if (!is_there) return false;
  const Expr remainder = build(ExprKind::Mod, x, (*term.atom)[1]);
  sum.add_atom(term.atom, wrapping_sub(0, term.coefficient));
  sum.add(form, wrapping_sub(0, k));
  sum.add(remainder, k);
  return true;
}

// (x + 1)*n - x*n -> n: products of sums are multiplied out, but only if terms cancel.
void Simplifier::cancel_products(LinearForm& sum) {
  const auto& terms = sum.terms();
  if (terms.size() < 2 || std::ranges::none_of(terms, has_sum_factor, &Term::atom)) return;
  LinearForm expanded(sum.constant);
  for (const Term& t : terms) {
    if (!has_sum_factor(t.atom)) {
      expanded.add_atom(t.atom, t.coefficient);
      continue;
    }
    LinearForm product(1);
    for (const Expr& factor : factors_of(t.atom)) {
      product = multiplied_out(product, LinearForm(factor));
      if (product.terms().size() > kMaxTermsMultipliedOut) return;
    }
    expanded.add(product, t.coefficient);
  }
  if (expanded.terms().size() < terms.size()) sum = std::move(expanded);
}

void Simplifier::merge_extremum(LinearForm& sum) {
  if (sum.terms().size() == 1) return;
  for (const Term& t : sum.terms()) {
    if (auto merged = merged_into(sum, t)) {
      sum = std::move(*merged);
      return;
    }
  }
}

// Handles x - min(x + 1, n) -> max(-1, x - n) too: if one operand becomes a constant, or both are such
// extrema.
std::optional<LinearForm> Simplifier::merged_into(const LinearForm& sum, const Term& extremum) {
  const bool is_min = extremum.atom->kind == ExprKind::Min;
  if ((!is_min && extremum.atom->kind != ExprKind::Max) || std::abs(extremum.coefficient) != 1) return {};
  LinearForm rest = sum;
  rest.add_atom(extremum.atom, -extremum.coefficient);
  std::array<LinearForm, 2> operands{rest, rest};
  for (const std::size_t i : {0, 1}) operands[i].add((*extremum.atom)[i], extremum.coefficient);
  if (!operands[0].is_constant() && !operands[1].is_constant()) {
    for (const std::size_t i : {0, 1}) {
      auto merged = merged_into(operands[i], {(*extremum.atom)[i], extremum.coefficient});
      if (!merged) return {};
      operands[i] = std::move(*merged);
    }
  }
  const auto first = to_expr(operands[0], Int(32)), second = to_expr(operands[1], Int(32));
  if (!first || !second || might_overflow(*first) || might_overflow(*second)) return {};
  return LinearForm(
      build(is_min == (extremum.coefficient == 1) ? ExprKind::Min : ExprKind::Max, *first, *second));
}

}  // namespace tensordsl::ir
