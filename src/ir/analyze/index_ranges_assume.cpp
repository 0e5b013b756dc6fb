// IndexRanges: the facts that a condition gives about variables and sums.
#include <algorithm>
#include <cstdlib>

#include "base/arithmetic.h"
#include "ir/analyze/index_ranges.h"
#include "ir/analyze/take_condition_apart.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::ir {
namespace {

/// A sum that is not negative where `form` is not, with the smallest coefficients.
LinearForm with_smallest_coefficients(const LinearForm& form) {
  const std::int64_t divisor = form.common_divisor();
  if (divisor <= 1) return form;
  LinearForm result = form;
  result.constant = floor_div(form.constant, divisor) * divisor;
  return exact_quotient(result, divisor);
}

/// True if a Param is part of an index that is not a Param itself. Loads hide theirs.
bool uses_other_param(const Expr& index) {
  if (index->kind == ExprKind::Var) return index.type() != Int(32);
  if (index->kind == ExprKind::Load || index->kind == ExprKind::Call) return false;
  return std::ranges::any_of(index->operands, uses_other_param);
}

}  // namespace

std::optional<IndexRanges> IndexRanges::assuming(const Expr& condition, bool truth,
                                                 MemoryState memory) const {
  IndexRanges result = *this;
  result.memory_ = memory;
  result.factors_ = Factors::Any;
  if (!result.assume(condition, truth)) return std::nullopt;
  result.factors_ = factors_;
  return result;
}

bool IndexRanges::assume(const Expr& condition, bool truth) {
  return take_condition_apart(
      condition, truth, [&](const Expr& part, bool value) { return assume(part, value); },
      [&](const Expr& a, const Expr& b, bool value) { return assume_either(a, b, value); },
      [&](bool value) {
        if (memory_ == MemoryState::MayChange && reads_memory(condition)) return true;
        // Extents are computed of indices, on the host too.
        if ((*condition)[0].type() == Int(32) && uses_other_param(condition)) return true;
        return assume_comparison(condition, value);
      });
}

bool IndexRanges::assume_comparison(const Expr& condition, bool truth) {
  const Expr &a = (*condition)[0], &b = (*condition)[1];
  if (!a.type().is_integer() || a.type().is_vector()) return true;
  const bool is_order = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
  const bool is_equal = !is_order && truth == (condition->kind == ExprKind::Eq);
  const int gap = (condition->kind == ExprKind::Lt) == truth ? 1 : 0;  // not (a <= b) is b < a
  if (a.type() == Int(32)) {
    if (is_order) return assume_not_negative(truth ? b - a - gap : a - b - gap);
    if (!is_equal) return assume_not_zero(a - b);
    return assume_not_negative(a - b) && assume_not_negative(b - a);
  }
  // Sums of other types may wrap, so only comparisons with a constant give facts.
  const auto is_index = [](const std::int64_t* number) {
    return number && std::abs(*number) < (std::int64_t{1} << 30);
  };
  const Expr left = simplify(a), right = simplify(b);
  const auto learn = [&](const Expr& smaller, const Expr& larger) {
    const std::int64_t *low = as_int(smaller), *high = as_int(larger);
    const int distance = is_order ? gap : 0;
    if (is_index(low)) narrow_term(larger, {Expr(static_cast<int>(*low + distance)), Expr()});
    if (is_index(high)) narrow_term(smaller, {Expr(), Expr(static_cast<int>(*high - distance))});
  };
  if (is_order) learn(truth ? left : right, truth ? right : left);
  if (is_equal) {
    learn(left, right);
    learn(right, left);
  }
  return true;
}

/// Assumes that one of two conditions has the value `truth`: keeps the facts that follow from each of them.
bool IndexRanges::assume_either(const Expr& first, const Expr& second, bool truth) {
  const auto by_first = assuming(first, truth, memory_);
  IndexRanges otherwise = *this;
  const bool is_by_second = otherwise.assume(first, !truth) && otherwise.assume(second, truth);
  if (!by_first && !is_by_second) return false;
  if (!by_first || !is_by_second) {
    *this = by_first ? *by_first : otherwise;
    return true;
  }
  const auto joined = [this](const SymbolicInterval& a, const SymbolicInterval& b) {
    SymbolicInterval all = hull(a, b);
    if (all.low.defined()) all.low = simplify(all.low);
    if (all.high.defined()) all.high = simplify(all.high);
    return all;
  };
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable &a = by_first->variables_[i], &b = otherwise.variables_[i];
    variables_[i].range = joined(a.range, b.range);
    variables_[i].whole = joined(a.whole, b.whole);
  }
  for (const KnownTerm& known : by_first->terms_) {
    const SymbolicInterval* other = otherwise.known_term(known.term);
    if (other) narrow_term(known.term, joined(known.range, *other));
  }
  return true;
}

bool IndexRanges::assume_not_zero(const Expr& e) {
  const Expr simple = simplify(e);
  const SymbolicInterval around = ends(simple);
  if (around.low.defined() && can_prove(Expr(0) <= around.low)) return assume_not_negative(simple - 1);
  if (around.high.defined() && can_prove(around.high <= Expr(0)))
    return assume_not_negative(Expr(-1) - simple);
  return true;
}

bool IndexRanges::assume_not_negative(const Expr& e) {
  const Expr simple = simplify(e);
  const Expr most = eliminate(simple, 0).high;
  if (most.defined() && can_prove(most < Expr(0))) return false;
  const LinearForm form(simple);
  if (form.is_constant()) return true;
  if (form.terms().size() == 1) assume_of_quotient(form);
  add_fact(form);
  for (const Term& t : form.terms()) {
    for (std::size_t i = 0; t.atom->kind == ExprKind::Var && i < variables_.size(); ++i) {
      if (variables_[i].name == t.atom->name) narrow(i, form, t.coefficient);
    }
    if (t.atom->kind == ExprKind::Var || is_free(t.atom)) continue;
    LinearForm others = form;
    others.add_atom(t.atom, -t.coefficient);
    const auto rest = to_expr(others, Int(32));
    const Expr limit = rest ? eliminate(*rest, 0).high : Expr();
    if (!limit.defined()) continue;
    const Expr by(static_cast<int>(std::abs(t.coefficient)));
    narrow_term(t.atom, t.coefficient > 0 ? SymbolicInterval{simplify(Expr(0) - limit / by), Expr()}
                                          : SymbolicInterval{Expr(), simplify(limit / by)});
  }
  return true;
}

void IndexRanges::add_fact(const LinearForm& not_negative) {
  Fact fact{with_smallest_coefficients(not_negative), {}};
  for (const Term& t : fact.not_negative.terms()) {
    if (!is_free(t.atom)) fact.ranged.add_atom(t.atom, t.coefficient);
  }
  // A fact that has only free variables is kept for them.
  if (fact.ranged.is_constant()) fact.ranged = fact.not_negative;
  facts_.push_back(std::move(fact));
}

/// n/k >= c says that n >= c*k, and n/k <= c that n <= c*k + k - 1.
void IndexRanges::assume_of_quotient(const LinearForm& not_negative) {
  const Term& term = not_negative.terms()[0];
  const std::int64_t* divisor = term.atom->kind == ExprKind::Div ? as_int((*term.atom)[1]) : nullptr;
  const bool is_plain = divisor && *divisor > 0 && std::abs(term.coefficient) == 1 && *divisor < (1 << 15) &&
                        std::abs(not_negative.constant) < (1 << 15);
  if (!is_plain) return;
  const int limit = static_cast<int>(not_negative.constant * *divisor);
  const Expr& numerator = (*term.atom)[0];
  assume_not_negative(term.coefficient > 0 ? numerator + limit
                                           : limit + static_cast<int>(*divisor) - 1 - numerator);
}

/// coefficient*variable + rest >= 0 bounds the variable by the largest value of the rest, over the variable
/// itself (in its non-linear terms) and those inside it.
void IndexRanges::narrow(std::size_t variable, const LinearForm& not_negative, std::int64_t coefficient) {
  LinearForm others = not_negative;
  others.add_atom(make_var(variables_[variable].name), -coefficient);
  const auto rest = to_expr(others, Int(32));
  const Expr most = rest ? eliminate(*rest, variable).high : Expr();
  if (!most.defined()) return;
  const Expr by(static_cast<int>(std::abs(coefficient)));
  const Expr limit = simplify(coefficient > 0 ? Expr(0) - most / by : most / by);
  if (is_long_end(limit)) return;
  const SymbolicInterval limits = eliminate(limit, 0);
  auto& [name, range, whole] = variables_[variable];
  // A limit that adds nothing would only hide terms that the bounds share with others.
  if (coefficient > 0) {
    if (whole.low.defined() && limits.high.defined() && can_prove(limits.high <= whole.low)) return;
    range = intersection(range, {limit, Expr()});
    whole = intersection(whole, {eliminate(range.low, 0).low, Expr()});
  } else {
    if (whole.high.defined() && limits.low.defined() && can_prove(whole.high <= limits.low)) return;
    range = intersection(range, {Expr(), limit});
    whole = intersection(whole, {Expr(), eliminate(range.high, 0).high});
  }
}

void IndexRanges::narrow_term(const Expr& term, const SymbolicInterval& range) {
  for (KnownTerm& known : terms_) {
    if (!same(known.term, term)) continue;
    known.range = intersection(known.range, range);
    return;
  }
  terms_.push_back({term, range});
}

bool IndexRanges::is_free(const Expr& e) const {
  bool free = true;
  visit(e, [&](const Expr& part) {
    const bool is_ranged =
        part->kind == ExprKind::Var && std::any_of(variables_.begin(), variables_.end(),
                                                   [&](const Variable& v) { return v.name == part->name; });
    free = free && part->kind != ExprKind::Load && part->kind != ExprKind::Call && !is_ranged;
    return free;
  });
  return free;
}

}  // namespace tensordsl::ir
