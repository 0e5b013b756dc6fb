#include "ops/size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "ir/expr_node.h"
#include "ir/simplify.h"
#include "tensordsl/error.h"
#include "tensordsl/var.h"

namespace tensordsl {

using ir::ExprKind;
using ir::LinearForm;

namespace {

[[noreturn]] void refuse_overflow() { throw ShapeError("a size is more than 64 bits hold"); }

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse_overflow();
  return result;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse_overflow();
  return result;
}

std::int64_t floored(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return checked_product(a, -1);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

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

/// What is left of `atom` without the factors of `divisor`; nothing if it lacks one.
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
/// the first term of their product. A constant alone has the atom 1.
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

std::optional<std::int64_t> least(const LinearForm& form);

/// A number that it is not below; nothing if none is known that is 0 or more.
std::optional<std::int64_t> least(const Expr& atom) {
  const auto operand = [&](std::size_t i) { return least(LinearForm((*atom)[i])); };
  switch (atom->kind) {
    case ExprKind::Var:
      return Size::is_count(atom->name) ? 0 : 1;
    case ExprKind::Mul: {
      const auto a = least((*atom)[0]), b = least((*atom)[1]);
      return a && b ? std::optional(checked_product(*a, *b)) : std::nullopt;
    }
    case ExprKind::Div: {
      const std::int64_t* divisor = ir::as_int((*atom)[1]);
      const auto a = operand(0), b = operand(1);
      return a && b ? std::optional(divisor ? floored(*a, *divisor) : 0) : std::nullopt;
    }
    case ExprKind::Min: {
      const auto a = operand(0), b = operand(1);
      return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
    }
    case ExprKind::Max:
      return std::max(operand(0), operand(1));
    default:
      return std::nullopt;
  }
}

/// True if a sum with this term, an extremum, is the smaller one of the sums with its operands; else it is
/// the larger one.
bool is_least_of_sums(const ir::Term& extremum) {
  return (extremum.atom->kind == ExprKind::Min) == (extremum.coefficient > 0);
}

/// Returns an extremum in the sum, with its coefficient, if possible one by which the sum is the smaller one
/// of two; nothing if there is none.
std::optional<ir::Term> extremum_of(const LinearForm& form) {
  std::optional<ir::Term> found;
  for (const ir::Term& term : form.terms()) {
    if (term.atom->kind != ExprKind::Min && term.atom->kind != ExprKind::Max) continue;
    if (is_least_of_sums(term)) return term;
    if (!found) found = term;
  }
  return found;
}

std::optional<std::int64_t> least(const LinearForm& form, int splits);

/// Returns a number that a/n - b/n is not below, where both have the same constant divisor n > 0: a/n is at
/// least b/n + m/n, if a is at least b + m. Nothing if none is known.
std::optional<std::int64_t> least_of_quotients(const Expr& a, const Expr& b, int splits) {
  if (a->kind != ExprKind::Div || b->kind != ExprKind::Div) return std::nullopt;
  const std::int64_t* divisor = ir::as_int((*b)[1]);
  if (!divisor || *divisor <= 0 || !same((*a)[1], (*b)[1])) return std::nullopt;
  const LinearForm apart = LinearForm((*a)[0]) - LinearForm((*b)[0]);
  if (apart.terms().empty()) return floored(apart.constant, *divisor);
  const auto m = least(apart, splits);
  return m ? std::optional(floored(*m, *divisor)) : std::nullopt;
}

/// Takes quotients that are subtracted from `form`, each with one that is added and is known not to be
/// smaller by much. Returns what they add up to at least.
std::int64_t take_quotients(LinearForm& form, int splits) {
  std::int64_t lowest = 0;
  const std::vector<ir::Term> terms(form.terms().begin(), form.terms().end());
  for (const ir::Term& less : terms) {
    if (less.coefficient >= 0) continue;
    for (const ir::Term& more : terms) {
      if (more.coefficient < -less.coefficient) continue;
      const auto apart = least_of_quotients(more.atom, less.atom, splits);
      if (!apart) continue;
      lowest = sum(lowest, checked_product(-less.coefficient, *apart));
      form.add_atom(more.atom, less.coefficient);
      form.add_atom(less.atom, -less.coefficient);
      return lowest;
    }
  }
  return lowest;
}

/// As below. `splits` is how many extrema are taken apart: each doubles the work.
std::optional<std::int64_t> least(const LinearForm& form, int splits) {
  if (const auto extremum = splits > 0 ? extremum_of(form) : std::nullopt) {
    const auto with = [&](const Expr& operand) {
      LinearForm sum = form;
      sum.add_atom(extremum->atom, -extremum->coefficient);
      sum.add(operand, extremum->coefficient);
      return least(sum, splits - 1);
    };
    const auto a = with((*extremum->atom)[0]), b = with((*extremum->atom)[1]);
    if (!is_least_of_sums(*extremum)) return std::max(a, b);
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
  }
  LinearForm rest = form;
  const std::int64_t of_quotients = splits > 0 ? take_quotients(rest, splits - 1) : 0;
  std::int64_t lowest = sum(rest.constant, of_quotients);
  for (const ir::Term& term : rest.terms()) {
    const auto of_atom = term.coefficient > 0 ? least(term.atom) : std::nullopt;
    if (!of_atom) return std::nullopt;
    lowest = sum(lowest, checked_product(term.coefficient, *of_atom));
  }
  return lowest >= 0 ? std::optional(lowest) : std::nullopt;
}

/// Returns a number that the sum is not below; nothing if none is known that is 0 or more.
std::optional<std::int64_t> least(const LinearForm& form) {
  constexpr int kMostSplits = 6;
  return least(form, kMostSplits);
}

/// Returns the extremum with its operands in one order, so that equal ones are the same expression.
Expr extremum_of(ExprKind kind, const Size& a, const Size& b) {
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
  return is_least_of_sums(*extremum) ? min(with(0), with(1)) : max(with(0), with(1));
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
  const std::optional<std::int64_t> lowest = least(form_ + LinearForm(-value));
  return lowest.has_value();
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
  return result;
}

bool operator==(const Size& a, const Size& b) {
  return a.form_.constant == b.form_.constant && (a.form_ - b.form_).is_zero();
}

Size operator+(const Size& a, const Size& b) {
  sum(a.form_.constant, b.form_.constant);
  return Size::shortest(a.form_ + b.form_);
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
  return Size(std::move(result));
}

std::optional<Size> exact_quotient(const Size& a, const Size& b) {
  if (b.is_known()) {
    const std::int64_t divisor = b.value();
    const auto divides = [&](std::int64_t value) { return divisor != 0 && value % divisor == 0; };
    LinearForm result;
    if (!divides(a.form_.constant)) return std::nullopt;
    result.constant = floored(a.form_.constant, divisor);
    for (const ir::Term& term : a.form_.terms()) {
      if (!divides(term.coefficient)) return std::nullopt;
      result.add_atom(term.atom, floored(term.coefficient, divisor));
    }
    return Size(std::move(result));
  }
  // As numbers are divided on paper: the first term of what is left by the first term of the divisor.
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
  return result;
}

Size quotient(const Size& a, const Size& b) {
  if (a.is_known() && b.is_known()) return floored(a.value(), b.value());
  if (const auto exact = exact_quotient(a, b)) return *exact;
  if (const auto apart = Size::quotient_of_extremum(a, b)) return *apart;
  return Size(LinearForm(ir::simplify(make_binary(ExprKind::Div, a.expr(), b.expr()))));
}

Size min(const Size& a, const Size& b) {
  if (const auto less = is_less(a, b)) return *less ? a : b;
  if (const auto less = is_less(b, a)) return *less ? b : a;
  return Size(LinearForm(extremum_of(ExprKind::Min, a, b)));
}

Size max(const Size& a, const Size& b) {
  if (const auto less = is_less(a, b)) return *less ? b : a;
  if (const auto less = is_less(b, a)) return *less ? a : b;
  return Size(LinearForm(extremum_of(ExprKind::Max, a, b)));
}

std::string how_to_know(const Size& size) {
  const std::vector<std::string> names = size.symbols();
  const auto count = std::ranges::find_if(names, Size::is_count);
  if (count != names.end())
    return fmt::format("\"{}\" depends on data: it is known when the model runs", *count);
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

}  // namespace tensordsl
