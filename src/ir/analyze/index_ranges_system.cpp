// IndexRanges: the bounds that several facts and the ranges of variables imply together.
#include <algorithm>

#include "ir/analyze/index_ranges.h"
#include "ir/analyze/linear_system.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::ir {
namespace {

constexpr std::size_t kMaxAtoms = 12;

/// Returns a, b of min(a, b); only `e` if it is not an operation of that kind.
std::vector<Expr> sides(const Expr& e, ExprKind kind) {
  if (e->kind != kind) return {e};
  std::vector<Expr> all;
  for (const Expr& operand : e->operands) std::ranges::move(sides(operand, kind), std::back_inserter(all));
  return all;
}

/// low <= atom <= high
void add_range(const Expr& atom, const SymbolicInterval& range, std::vector<LinearForm>& not_negative) {
  if (range.low.defined()) {
    for (const Expr& low : sides(range.low, ExprKind::Max))
      not_negative.push_back(LinearForm(atom) - LinearForm(low));
  }
  if (range.high.defined()) {
    for (const Expr& high : sides(range.high, ExprKind::Min))
      not_negative.push_back(LinearForm(high) - LinearForm(atom));
  }
}

Expr quotient(const LinearForm& sum, std::int64_t divisor) {
  const auto expr = to_expr(sum, Int(32));
  if (!expr || divisor > INT32_MAX) return {};
  return simplify(divisor == 1 ? *expr : *expr / Expr(static_cast<int>(divisor)));
}

}  // namespace

/// Returns sums that are not negative by the meaning of a variable or another term.
std::vector<LinearForm> IndexRanges::meaning_of(const Expr& atom) const {
  std::vector<LinearForm> result;
  if (atom->kind == ExprKind::Var) {
    for (const Variable& v : variables_) {
      if (v.name != atom->name) continue;
      add_range(atom, v.range, result);
      add_range(atom, v.whole, result);
    }
    return result;
  }
  add_range(atom, eliminate(atom, 0), result);
  const LinearForm value(atom);
  if (atom->kind == ExprKind::Min || atom->kind == ExprKind::Max) {
    for (const Expr& side : atom->operands)
      result.push_back((LinearForm(side) - value) * (atom->kind == ExprKind::Min ? 1 : -1));
  }
  const std::int64_t* k = atom->kind == ExprKind::Div ? as_int((*atom)[1]) : nullptr;
  if (k && *k > 0) {
    // n - (k - 1) <= k*(n/k) <= n
    const LinearForm left = LinearForm((*atom)[0]) - value * *k;
    result.push_back(left);
    result.push_back(LinearForm(*k - 1) - left);
  }
  return result;
}

SymbolicInterval IndexRanges::ends_by_system(const Expr& index, const SymbolicInterval& so_far) const {
  const LinearForm form(index);
  std::vector<Expr> atoms;
  const auto add_atoms = [&](const LinearForm& of) {
    for (const Term& t : of.terms()) {
      const bool is_known = std::ranges::any_of(atoms, [&](const Expr& a) { return same(a, t.atom); });
      if (!is_known && !is_free(t.atom)) atoms.push_back(t.atom);
    }
  };
  add_atoms(form);
  IndexRanges of_conditions = *this;
  of_conditions.factors_ = Factors::Any;
  std::vector<LinearForm> not_negative;
  std::vector<bool> is_used(facts_.size(), false);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (atoms.size() > kMaxAtoms) break;
    for (std::size_t f = 0; f < facts_.size(); ++f) {
      if (is_used[f] || facts_[f].not_negative.coefficient_of(atoms[i]) == 0) continue;
      is_used[f] = true;
      not_negative.push_back(facts_[f].not_negative);
      add_atoms(not_negative.back());
    }
    for (LinearForm& fact : of_conditions.meaning_of(atoms[i])) {
      add_atoms(fact);
      not_negative.push_back(std::move(fact));
    }
  }
  if (std::ranges::count(is_used, true) == 0) return so_far;
  SymbolicInterval result = so_far;
  const LinearBounds bounds = bounds_of(form, not_negative, atoms);
  for (const LinearBound& b : bounds.low) {
    const Expr low = quotient(b.sum + LinearForm(b.divisor - 1), b.divisor);
    if (!low.defined()) continue;
    if (!result.low.defined() || can_prove(result.low < low)) {
      result.low = low;
    } else if (ends_ == Ends::Both) {
      result = intersection(result, {low, Expr()});
    }
  }
  for (const LinearBound& b : bounds.high) {
    const Expr high = quotient(b.sum, b.divisor);
    if (!high.defined()) continue;
    if (!result.high.defined() || can_prove(high < result.high)) {
      result.high = high;
    } else if (ends_ == Ends::Both) {
      result = intersection(result, {Expr(), high});
    }
  }
  return result;
}

}  // namespace tensordsl::ir
