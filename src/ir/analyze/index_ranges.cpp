#include "ir/analyze/index_ranges.h"

#include <cstdint>

#include "ir/analyze/select_cases.h"
#include "ir/analyze/uses_outside_reads.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::ir {
namespace {

/// x*4 + min(n - x*4, 4)   ->   min(n, x*4 + 4)
Expr cancelled_in_extrema(const Expr& e, const SharedSimplifier& simplifier, int depth = 3) {
  const LinearForm form(e);
  for (const Term& t : form.terms()) {
    const bool is_min = t.atom->kind == ExprKind::Min;
    if ((!is_min && t.atom->kind != ExprKind::Max) || (t.coefficient != 1 && t.coefficient != -1)) continue;
    const LinearForm rest = form - LinearForm(t.atom) * t.coefficient;
    std::vector<Expr> sides;
    bool is_shorter = false;
    for (const Expr& side : t.atom->operands) {
      const LinearForm other(side);
      const LinearForm sum = rest + other * t.coefficient;
      is_shorter = is_shorter || sum.terms().size() < rest.terms().size() + other.terms().size();
      if (const auto expr = to_expr(sum, Int(32))) sides.push_back(*expr);
    }
    if (!is_shorter || sides.size() < 2) continue;
    if (depth > 0) {
      for (Expr& side : sides) side = cancelled_in_extrema(side, simplifier, depth - 1);
    }
    return simplifier.simplify(is_min == (t.coefficient > 0) ? min(sides[0], sides[1])
                                                             : max(sides[0], sides[1]));
  }
  return e;
}

}  // namespace

bool is_long_end(const Expr& end) {
  int left = 200;
  const std::function<void(const Expr&)> count = [&](const Expr& e) {
    if (--left < 0 || e->kind == ExprKind::Load) return;
    for (const Expr& operand : e->operands) count(operand);
  };
  count(end);
  return left < 0;
}

IndexRanges IndexRanges::with(const std::string& variable, SymbolicInterval range) const {
  IndexRanges result = *this;
  SymbolicInterval whole{range.low.defined() ? eliminate(range.low, 0).low : range.low,
                         range.high.defined() ? eliminate(range.high, 0).high : range.high};
  result.variables_.push_back({variable, std::move(range), std::move(whole)});
  return result;
}

SymbolicInterval IndexRanges::interval(const Expr& index) const {
  // Reads of one element in many branches have most indices in common.
  if (const auto known = intervals_.of.find(index); known != intervals_.of.end()) return known->second;
  return intervals_.of.emplace(index, interval_of_simplified(simplify(index))).first->second;
}

SymbolicInterval IndexRanges::interval_of_simplified(const Expr& index) const {
  int cases = kMaxSelectCases;
  return interval_of_cases(index, cases);
}

SymbolicInterval IndexRanges::interval_of_cases(const Expr& index, int& cases) const {
  const SymbolicInterval together = ends(index);
  const Expr choice = first_select(index);
  if (!choice.defined() || --cases < 0) return together;
  std::optional<SymbolicInterval> all;
  for (const bool truth : {true, false}) {
    const auto there = assuming((*choice)[0], truth);
    if (!there) continue;
    const Expr chosen = simplify(index_in_case(index, choice, truth));
    const SymbolicInterval part = there->interval_of_cases(chosen, cases);
    all = all ? hull(*all, part) : part;
  }
  if (!all) return together;
  return intersection(together, {simplified(all->low), simplified(all->high)});
}

SymbolicInterval IndexRanges::ends(const Expr& index, int depth) const {
  if (facts_.empty()) return eliminate(index, 0);
  if (depth > 0) {
    if (const auto with_terms = with_terms_of(index, depth - 1)) return with_terms->ends(index, 0);
  }
  // A tile's index becomes the sum that a fact is about only when the tile's own loops are eliminated.
  SymbolicInterval facts;
  const auto look = [&](const SymbolicInterval& i) {
    if (i.low.defined()) facts = intersection(facts, {known(i.low).low, Expr()});
    if (i.high.defined()) facts = intersection(facts, {Expr(), known(i.high).high});
  };
  SymbolicInterval result = eliminate(index, 0, look);
  result = intersection(intersection(result, facts), known(index));
  return ends_by_system(index, result);
}

std::optional<IndexRanges> IndexRanges::with_terms_of(const Expr& index, int depth) const {
  std::optional<IndexRanges> result;
  const LinearForm form(index);
  for (const Term& t : form.terms()) {
    const ExprNode& term = *t.atom;
    const bool is_of_two = term.kind == ExprKind::Min || term.kind == ExprKind::Max ||
                           term.kind == ExprKind::Div || term.kind == ExprKind::Mod ||
                           term.kind == ExprKind::Mul;
    if (!is_of_two || is_free(t.atom)) continue;
    const bool is_by_constant = as_int(term[1]) != nullptr;
    const SymbolicInterval a = ends(term[0], depth);
    const SymbolicInterval b = is_by_constant ? SymbolicInterval{} : ends(term[1], depth);
    const IntervalEvaluation of_operands(
        {[&](const std::string& name) { return name == "a" ? &a : &b; }, nullptr, factors_, {}});
    const SymbolicInterval range =
        of_operands.interval(make_binary(term.kind, make_var("a"), is_by_constant ? term[1] : make_var("b")));
    if (!result) result = *this;
    result->narrow_term(t.atom, {simplified(range.low), simplified(range.high)});
  }
  return result;
}

SymbolicInterval IndexRanges::known(const Expr& index) const {
  SymbolicInterval result;
  const LinearForm form(index);
  for (const Fact& fact : facts_) {
    // The index as `times` the fact and a rest that has none of its terms.
    const Term& first = fact.ranged.terms()[0];
    const std::int64_t times = form.coefficient_of(first.atom) / first.coefficient;
    if (times == 0) continue;
    const std::size_t shared = (form - fact.ranged * times).terms().size() + fact.ranged.terms().size();
    const auto rest = to_expr(form - fact.not_negative * times, Int(32));
    if (shared != form.terms().size() || !rest) continue;
    const SymbolicInterval around = eliminate(*rest, 0);
    if (times > 0) result = intersection(result, {around.low, Expr()});
    if (times < 0) result = intersection(result, {Expr(), around.high});
  }
  return result;
}

Expr IndexRanges::where_not_empty() const {
  std::vector<Expr> tests;
  for (const Variable& v : variables_) {
    if (v.whole.bounded()) tests.push_back(v.whole.low <= v.whole.high);
  }
  for (const Fact& fact : facts_) {
    const LinearForm& form = fact.not_negative;
    const auto sum = to_expr(form - LinearForm(form.constant), Int(32));
    if (sum && is_free(*sum)) tests.push_back(Expr(static_cast<int>(-form.constant)) <= *sum);
  }
  Expr all;
  for (const Expr& test : tests) {
    const Expr simple = simplify(test);
    if (is_const(simple, 1) || reads_memory(simple)) continue;
    all = all.defined() ? all && simple : simple;
  }
  return all.defined() ? simplify(all) : all;
}

const SymbolicInterval* IndexRanges::whole_range(const std::string& name) const {
  for (const Variable& v : variables_) {
    if (v.name == name) return &v.whole;
  }
  return nullptr;
}

const SymbolicInterval* IndexRanges::known_term(const Expr& term) const {
  for (const KnownTerm& known : terms_) {
    if (same(known.term, term)) return &known.range;
  }
  return nullptr;
}

IntervalEvaluation IndexRanges::evaluation(
    std::function<const SymbolicInterval*(const std::string&)> variable) const {
  KnownRanges known{std::move(variable), nullptr, factors_,
                    [this](const std::string& name) { return whole_range(name); }};
  if (!terms_.empty()) known.term = [this](const Expr& term) { return known_term(term); };
  return IntervalEvaluation(std::move(known));
}

Expr IndexRanges::tighter(const Expr& end, const Expr& other, bool is_low) const {
  if (!end.defined() || reads_memory(end)) return simplified(other);
  if (!other.defined() || reads_memory(other)) return end;
  if (is_low ? can_prove(end < other) : can_prove(other < end)) return simplify(other);
  if (ends_ == Ends::Short || same(end, other)) return end;
  // A constant is short, and nearly always as tight.
  if (ends_ == Ends::Tighter && as_int(end)) return end;
  const auto is_inside = [&](const Expr& a, const Expr& b) {
    return is_low ? can_prove(b <= a) : can_prove(a <= b);
  };
  if (is_inside(end, other)) return end;
  if (ends_ == Ends::Tighter) return is_inside(other, end) ? simplify(other) : end;
  return simplify(is_low ? max(end, other) : min(end, other));
}

SymbolicInterval IndexRanges::eliminate(const Expr& e, std::size_t first, const OnTheWay& on_the_way) const {
  SymbolicInterval result{e, e};
  for (std::size_t i = variables_.size(); i-- > first;) {
    const Variable& v = variables_[i];
    const IntervalEvaluation without =
        evaluation([&](const std::string& name) { return name == v.name ? &v.range : nullptr; });
    const auto without_it = [&](const Expr& end, Expr SymbolicInterval::*side) {
      if (!end.defined() || !uses_outside_reads(end, v.name)) return end;
      const Expr shorter = simplified(without.interval(end).*side);
      return shorter.defined() && is_long_end(shorter) ? Expr() : shorter;
    };
    result = {without_it(result.low, &SymbolicInterval::low),
              without_it(result.high, &SymbolicInterval::high)};
    // The lengths of tiles are simplified at the end: kernels stay as short as without them, but callers that
    // ask for read regions get longer bounds.
    if (ends_ == Ends::Both && result.low.defined())
      result.low = cancelled_in_extrema(result.low, simplifier_);
    if (ends_ == Ends::Both && result.high.defined())
      result.high = cancelled_in_extrema(result.high, simplifier_);
    if (on_the_way) on_the_way(result);
  }
  if (first > 0) return result;
  // Eliminating one variable after the other cancels common terms of two of them, but simplification in
  // between may lose a clamp; eliminating all at once does not.
  const IntervalEvaluation all = evaluation([&](const std::string& name) { return whole_range(name); });
  const SymbolicInterval at_once = all.interval(e);
  result.low = tighter(result.low, at_once.low, true);
  result.high = tighter(result.high, at_once.high, false);
  return result;
}

}  // namespace tensordsl::ir
