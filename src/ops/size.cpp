#include "ops/size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "ops/checked_integers.h"
#include "ops/size_bounds.h"
#include "tensordsl/error.h"
#include "tensordsl/var.h"

namespace tensordsl::ops {

using ir::ExprKind;
using ir::LinearForm;

namespace {

/// Factors in one order, so that equal products are the same expression.
Expr product_of(std::vector<Expr> factors) {
  std::ranges::sort(factors, {}, [](const Expr& e) { return to_string(e); });
  Expr result = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i) result = make_binary(ExprKind::Mul, result, factors[i]);
  return result;
}

Expr product_of(const Expr& a, const Expr& b) {
  std::vector<Expr> factors = ir::factors_of(a);
  const std::vector<Expr> others = ir::factors_of(b);
  factors.insert(factors.end(), others.begin(), others.end());
  return product_of(std::move(factors));
}

/// Removes the factors of `divisor` from `atom`; nullopt if it lacks one.
std::optional<std::vector<Expr>> without_factors(const Expr& atom, const Expr& divisor) {
  std::vector<Expr> factors = ir::factors_of(atom);
  for (const Expr& factor : ir::factors_of(divisor)) {
    const auto found = std::ranges::find_if(factors, [&](const Expr& e) { return same(e, factor); });
    if (found == factors.end()) return std::nullopt;
    factors.erase(found);
  }
  return factors;
}

/// Products of more factors first, and of as many in alphabetical order; so the first terms of two sums make
/// the first term of their product. The term of a constant has the atom 1.
ir::Term first_term(const LinearForm& form) {
  std::optional<ir::Term> first;
  std::vector<std::string> of_first;
  for (const ir::Term& term : form.terms()) {
    std::vector<std::string> factors;
    for (const Expr& factor : ir::factors_of(term.atom)) factors.push_back(to_string(factor));
    std::ranges::sort(factors);
    const bool is_first = !first || factors.size() > of_first.size() ||
                          (factors.size() == of_first.size() && factors < of_first);
    if (!is_first) continue;
    first = term;
    of_first = std::move(factors);
  }
  return first ? *first : ir::Term{Expr(1), form.constant};
}

/// Returns the extremum with its operands in one order, so that equal extrema are the same expression.
Expr ordered_extremum(ExprKind kind, const Size& a, const Size& b) {
  const bool is_in_order = a.is_known() != b.is_known() ? b.is_known() : to_string(a) <= to_string(b);
  return make_binary(kind, (is_in_order ? a : b).expr(), (is_in_order ? b : a).expr());
}

}  // namespace

std::string Size::text_of_large() const {
  std::string text;
  for (const ir::Term& term : form_.terms())
    text += fmt::format("{}*{} + ", term.coefficient, tensordsl::to_string(term.atom));
  return fmt::format("{}{}", text, form_.constant);
}

Size Size::shortest(const LinearForm& form) {
  const auto extremum = extremum_of(form);
  if (!extremum || std::abs(extremum->coefficient) != 1) return Size(form);
  LinearForm rest = form;
  rest.add_atom(extremum->atom, -extremum->coefficient);
  const auto with = [&](const Expr& operand) {
    LinearForm sum = rest;
    sum.add(operand, extremum->coefficient);
    return sum;
  };
  const LinearForm a = with((*extremum->atom)[0]), b = with((*extremum->atom)[1]);
  if (std::min(a.terms().size(), b.terms().size()) >= rest.terms().size()) return Size(form);
  return is_least_of_sums(*extremum) ? min(Size(a), Size(b)) : max(Size(a), Size(b));
}

std::optional<Size> Size::quotient_of_extremum(const Size& a, const Size& b) {
  if (!b.is_known() || b.value() <= 0) return std::nullopt;
  const auto extremum = extremum_of(a.form_);
  const auto is_number = [](const Expr& operand) { return ir::as_int(operand) != nullptr; };
  if (!extremum || std::ranges::none_of(extremum->atom->operands, is_number)) return std::nullopt;
  const auto with = [&](std::size_t i) {
    LinearForm sum = a.form_;
    sum.add_atom(extremum->atom, -extremum->coefficient);
    sum.add((*extremum->atom)[i], extremum->coefficient);
    return quotient(Size(std::move(sum)), b);
  };
  Size result = is_least_of_sums(*extremum) ? min(with(0), with(1)) : max(with(0), with(1));
  return result.take_conditions(a);
}

std::optional<Size> Size::quotient_in_parts(const Size& a, const Size& b) {
  if (!b.is_known() || b.value() <= 0) return std::nullopt;
  const std::int64_t divisor = b.value();
  LinearForm whole, rest(a.form_.constant);
  bool is_subtracted = true;
  for (const ir::Term& term : a.form_.terms()) {
    if (term.coefficient % divisor == 0) {
      whole.add_atom(term.atom, term.coefficient / divisor);
    } else {
      rest.add_atom(term.atom, term.coefficient);
      is_subtracted = is_subtracted && term.coefficient < 0;
    }
  }
  if (!is_subtracted && whole.is_zero()) return std::nullopt;
  if (is_subtracted) {
    // The floor of -x/b is the floor of (x + b - 1)/b, negated.
    rest = rest * -1;
    rest.constant = checked_sum(rest.constant, divisor - 1);
  }
  const Size of_rest = quotient(Size(std::move(rest)), b);
  Size result = is_subtracted ? Size(std::move(whole)) - of_rest : Size(std::move(whole)) + of_rest;
  return result.take_conditions(a);
}

Size Size::symbol(const std::string& name) { return Size(LinearForm(ir::make_param(name, Int(32)))); }

std::int64_t Size::value() const {
  if (is_known()) return form_.constant;
  throw ModelError(fmt::format("the size {} must be known here; {}", to_string(*this), how_to_know(*this)));
}

Expr Size::expr() const {
  if (const auto expr = ir::to_expr(form_, Int(32)); expr && ir::fits(form_, Int(32))) return *expr;
  using Limits = std::numeric_limits<std::int32_t>;
  throw ShapeError(fmt::format("the extent or offset {} is not supported; supported: {} to {}",
                               text_of_large(), Limits::min(), Limits::max()));
}

bool Size::is_at_least(std::int64_t value) const {
  return least_value(form_ + LinearForm(-value), 1).has_value();
}

bool Size::is_at_least_if_empty(std::int64_t value) const {
  return conditions_.empty() && least_value(form_ + LinearForm(-value), 0).has_value();
}

std::vector<Size> Size::conditions() const {
  std::vector<Size> result;
  for (const LinearForm& condition : conditions_) result.push_back(Size(condition));
  return result;
}

Size& Size::take_conditions(const Size& other) {
  for (const LinearForm& condition : other.conditions_) {
    const auto is_same = [&](const LinearForm& own) { return (own - condition).is_zero(); };
    if (std::ranges::none_of(conditions_, is_same)) conditions_.push_back(condition);
  }
  return *this;
}

std::optional<Size> Size::chosen_if(const Size& apart, const Size& chosen) {
  if (!apart.is_at_least(0)) return std::nullopt;
  Size result = chosen;
  result.take_conditions(apart);
  if (least_value(apart.form_, 0)) return result;
  Size condition = apart.without_conditions();
  condition.conditions_.push_back(apart.form_);
  return result.take_conditions(condition);
}

bool Size::has_count() const { return std::ranges::any_of(symbols(), is_count); }

std::vector<std::string> Size::symbols() const {
  std::set<std::string> names;
  for (const ir::Term& term : form_.terms()) {
    ir::visit(term.atom, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) names.insert(e->name);
      return true;
    });
  }
  return {names.begin(), names.end()};
}

Size Size::with_atoms(const std::function<std::optional<Size>(const Expr&)>& size_of) const {
  Size result(form_.constant);
  for (const ir::Term& term : form_.terms())
    result += size_of(term.atom).value_or(Size(LinearForm(term.atom))) * Size(term.coefficient);
  return result.take_conditions(*this);
}

bool operator==(const Size& a, const Size& b) {
  return a.form_.constant == b.form_.constant && (a.form_ - b.form_).is_zero();
}

Size operator+(const Size& a, const Size& b) {
  checked_sum(a.form_.constant, b.form_.constant);
  return Size::shortest(a.form_ + b.form_).take_conditions(a).take_conditions(b);
}

Size operator-(const Size& a, const Size& b) { return a + b * Size(-1); }

Size operator*(const Size& a, const Size& b) {
  LinearForm result(checked_product(a.form_.constant, b.form_.constant));
  for (const ir::Term& x : a.form_.terms()) {
    result.add_atom(x.atom, checked_product(x.coefficient, b.form_.constant));
    for (const ir::Term& y : b.form_.terms())
      result.add_atom(product_of(x.atom, y.atom), checked_product(x.coefficient, y.coefficient));
  }
  for (const ir::Term& y : b.form_.terms())
    result.add_atom(y.atom, checked_product(y.coefficient, a.form_.constant));
  return Size(std::move(result)).take_conditions(a).take_conditions(b);
}

std::optional<Size> exact_quotient(const Size& a, const Size& b) {
  if (b.is_known()) {
    const std::int64_t divisor = b.value();
    const auto divides = [&](std::int64_t value) { return divisor != 0 && value % divisor == 0; };
    LinearForm result;
    if (!divides(a.form_.constant)) return std::nullopt;
    result.constant = floored_quotient(a.form_.constant, divisor);
    for (const ir::Term& term : a.form_.terms()) {
      if (!divides(term.coefficient)) return std::nullopt;
      result.add_atom(term.atom, floored_quotient(term.coefficient, divisor));
    }
    return Size(std::move(result)).take_conditions(a).take_conditions(b);
  }
  // Divides polynomials by long division: the first term of the rest by the first term of the divisor.
  const ir::Term divisor = first_term(b.form_);
  Size rest = a, result;
  while (!(rest == Size(0))) {
    const ir::Term first = first_term(rest.form_);
    const auto factors = without_factors(first.atom, divisor.atom);
    if (!factors || first.coefficient % divisor.coefficient != 0) return std::nullopt;
    LinearForm part;
    const std::int64_t coefficient = first.coefficient / divisor.coefficient;
    if (factors->empty()) {
      part.constant = coefficient;
    } else {
      part.add_atom(product_of(*factors), coefficient);
    }
    result += Size(part);
    rest -= Size(std::move(part)) * b;
  }
  return result.take_conditions(a).take_conditions(b);
}

Size quotient(const Size& a, const Size& b) {
  if (a.is_known() && b.is_known())
    return Size(floored_quotient(a.value(), b.value())).take_conditions(a).take_conditions(b);
  if (const auto exact = exact_quotient(a, b)) return *exact;
  if (const auto apart = Size::quotient_of_extremum(a, b)) return *apart;
  if (const auto in_parts = Size::quotient_in_parts(a, b)) return *in_parts;
  return Size(LinearForm(ir::simplify(make_binary(ExprKind::Div, a.expr(), b.expr()))))
      .take_conditions(a)
      .take_conditions(b);
}

Size min(const Size& a, const Size& b) {
  if (const auto less = Size::chosen_if(a - b, b)) return *less;
  if (const auto less = Size::chosen_if(b - a, a)) return *less;
  return Size(LinearForm(ordered_extremum(ExprKind::Min, a, b))).take_conditions(a).take_conditions(b);
}

Size max(const Size& a, const Size& b) {
  if (const auto more = Size::chosen_if(a - b, a)) return *more;
  if (const auto more = Size::chosen_if(b - a, b)) return *more;
  return Size(LinearForm(ordered_extremum(ExprKind::Max, a, b))).take_conditions(a).take_conditions(b);
}

std::string how_to_know(const Size& size) {
  const std::vector<std::string> names = size.symbols();
  const auto count = std::ranges::find_if(names, Size::is_count);
  if (count != names.end())
    return fmt::format("\"{}\" depends on data and is known only at run time", *count);
  std::string remedy = "fix its dimensions, as in";
  for (const std::string& name : names) remedy += fmt::format(" --dim {}=1", name);
  return remedy;
}

std::optional<bool> is_less(const Size& a, const Size& b) {
  if ((b - a).is_at_least(1)) return true;
  if ((a - b).is_at_least(0)) return false;
  return std::nullopt;
}

std::optional<bool> is_equal(const Size& a, const Size& b) {
  if (a == b) return true;
  if ((b - a).is_at_least(1) || (a - b).is_at_least(1)) return false;
  return std::nullopt;
}

std::string to_string(const Size& size) {
  return size.is_known() ? fmt::format("{}", size.value()) : to_string(size.expr());
}

std::string to_string(const Sizes& sizes) {
  std::string text;
  for (const Size& size : sizes) text += (text.empty() ? "" : ",") + to_string(size);
  return fmt::format("[{}]", text);
}

std::string to_string(const Ints& numbers) { return fmt::format("[{}]", fmt::join(numbers, ",")); }

bool is_known(const Sizes& sizes) { return std::ranges::all_of(sizes, &Size::is_known); }

Ints known(const Sizes& sizes) {
  Ints values;
  for (const Size& size : sizes) values.push_back(size.value());
  return values;
}

}  // namespace tensordsl::ops
