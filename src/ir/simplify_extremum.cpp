// Simplifier: min and max of i32.
#include <algorithm>

#include "ir/expr_order.h"
#include "ir/simplifier.h"

namespace tensordsl::ir {
namespace {

/// With more operands than this they are no longer compared with each other.
constexpr std::size_t kMostCompared = 8;

void collect(ExprKind kind, const Expr& e, std::vector<Expr>& parts) {
  if (e->kind != kind) {
    parts.push_back(e);
    return;
  }
  collect(kind, (*e)[0], parts);
  collect(kind, (*e)[1], parts);
}

bool constants_last(const Expr& a, const Expr& b) {
  return is_const(a) != is_const(b) ? is_const(b) : compare(a, b) < 0;
}

}  // namespace

Expr Simplifier::finish_extremum(const Expr& expr) {
  const ExprKind kind = expr->kind;
  const int lanes = expr.type().lanes;
  std::vector<Expr> parts;
  collect(kind, expr, parts);

  // Drops every operand that another one is always at least as good as.
  const auto beats = [&](const Expr& a, const Expr& b) {
    const LaneForm f(a), g(b);
    return proves(kind == ExprKind::Min ? g - f : f - g, lanes);
  };
  for (std::size_t i = 0; parts.size() <= kMostCompared && i < parts.size();) {
    const bool beaten = std::ranges::any_of(parts, [&](const Expr& other) {
      return &other != &parts[i] && beats(other, parts[i]);
    });
    if (beaten) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (parts.size() == 1) return parts[0];
  if (const Expr result = without_common_terms(kind, parts); result.defined()) return result;

  std::ranges::stable_sort(parts, constants_last);
  Expr result = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    result = finish_with_rules(make_binary(kind, result, parts[i]));
  }
  return result;
}

Expr Simplifier::without_common_terms(ExprKind kind, const std::vector<Expr>& parts) {
  const Type type = parts[0].type();
  if (type.is_vector()) return Expr();
  std::vector<LinearForm> forms;
  for (const Expr& part : parts) forms.emplace_back(part);

  LinearForm common;
  for (const Term& t : forms[0].terms()) {
    const bool in_all = std::ranges::all_of(
        forms, [&](const LinearForm& f) { return f.coefficient_of(t.atom) == t.coefficient; });
    if (in_all) common.add_atom(t.atom, t.coefficient);
  }
  const bool same_constant = std::ranges::all_of(
      forms, [&](const LinearForm& f) { return !f.is_constant() && f.constant == forms[0].constant; });
  if (same_constant) common.constant = forms[0].constant;
  if (common.is_zero()) return Expr();

  Expr rest;
  for (const LinearForm& form : forms) {
    const auto part = to_expr(form - common, type);
    if (!part) return Expr();
    rest = rest.defined() ? build(kind, rest, *part) : *part;
  }
  LaneForm sum(rest);
  sum.base.add(common);
  return finish_sum(std::move(sum), rest);
}

}  // namespace tensordsl::ir
