#include "ir/index_ranges.h"

#include <cstdint>

#include "ir/simplifier.h"
#include "ir/simplify.h"

namespace tensordsl::ir {
namespace {

/// How many selects of one index are told apart.
constexpr int kMaxCases = 16;

Expr simplified(const Expr& e) { return e.defined() ? simplify(e) : e; }

/// A select of scalars, outside what is read from memory; undefined if there is none.
Expr first_select(const Expr& index) {
  Expr found;
  visit(index, [&](const Expr& e) {
    if (!found.defined() && e->kind == ExprKind::Select && !e.type().is_vector()) found = e;
    return !found.defined() && e->kind != ExprKind::Load && e->kind != ExprKind::Call;
  });
  return found;
}

/// Outside what is read from memory: a read that uses it is unknown, or known as a whole.
bool uses_outside_reads(const Expr& index, const std::string& variable) {
  const NameFilter filter(variable);
  bool found = false;
  visit(index, [&](const Expr& e) {
    if (e->kind == ExprKind::Load || e->kind == ExprKind::Call || !e->names.may_share(filter)) return false;
    found = found || (e->kind == ExprKind::Var && e->name == variable);
    return !found;
  });
  return found;
}

}  // namespace

IndexRanges IndexRanges::with(const std::string& variable, SymbolicInterval range) const {
  IndexRanges result = *this;
  SymbolicInterval whole{range.low.defined() ? eliminate(range.low, 0).low : range.low,
                         range.high.defined() ? eliminate(range.high, 0).high : range.high};
  result.variables_.push_back({variable, std::move(range), std::move(whole)});
  return result;
}

SymbolicInterval IndexRanges::interval(const Expr& index) const {
  return interval_of_simplified(simplify(index));
}

SymbolicInterval IndexRanges::interval_of_simplified(const Expr& index) const {
  int cases = kMaxCases;
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
    const Expr& side = (*choice)[truth ? 1 : 2];
    const Expr chosen = rewrite(index, [&](const Expr& e) { return same(e, choice) ? side : e; });
    const SymbolicInterval part = there->interval_of_cases(simplify(chosen), cases);
    all = all ? hull(*all, part) : part;
  }
  if (!all) return together;
  return intersection(together, {simplified(all->low), simplified(all->high)});
}

SymbolicInterval IndexRanges::ends(const Expr& index) const {
  if (facts_.empty()) return eliminate(index, 0);
  // A tile's index becomes the sum that a fact is about only when the tile's own loops are eliminated.
  SymbolicInterval facts;
  const auto look = [&](const SymbolicInterval& i) {
    if (i.low.defined()) facts = intersection(facts, {known(i.low).low, Expr()});
    if (i.high.defined()) facts = intersection(facts, {Expr(), known(i.high).high});
  };
  SymbolicInterval result = eliminate(index, 0, look);
  result = intersection(result, facts);
  if (const std::int64_t* divisor = index->kind == ExprKind::Div ? as_int((*index)[1]) : nullptr;
      divisor && *divisor > 0) {
    const SymbolicInterval numerator = ends((*index)[0]);
    if (numerator.low.defined())
      result = intersection(result, {simplify(numerator.low / (*index)[1]), Expr()});
    if (numerator.high.defined())
      result = intersection(result, {Expr(), simplify(numerator.high / (*index)[1])});
  }
  result = intersection(result, known(index));
  return ends_by_system(index, result);
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
    const Expr simplified = simplify(test);
    if (is_const(simplified, 1) || reads_memory(simplified)) continue;
    all = all.defined() ? all && simplified : simplified;
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
  KnownRanges known{std::move(variable), nullptr, factors_};
  if (!terms_.empty()) known.term = [this](const Expr& term) { return known_term(term); };
  return IntervalEvaluation(std::move(known));
}

SymbolicInterval IndexRanges::eliminate(const Expr& e, std::size_t first, const OnTheWay& on_the_way) const {
  SymbolicInterval result{e, e};
  for (std::size_t i = variables_.size(); i-- > first;) {
    const Variable& v = variables_[i];
    const IntervalEvaluation without =
        evaluation([&](const std::string& name) { return name == v.name ? &v.range : nullptr; });
    if (result.low.defined() && uses_outside_reads(result.low, v.name))
      result.low = simplified(without.interval(result.low).low);
    if (result.high.defined() && uses_outside_reads(result.high, v.name))
      result.high = simplified(without.interval(result.high).high);
    if (on_the_way) on_the_way(result);
  }
  if (first > 0) return result;
  // One variable after the other keeps what two of them have in common, but simplification in between may
  // lose a clamp; all at once does not.
  const IntervalEvaluation all = evaluation([&](const std::string& name) { return whole_range(name); });
  const SymbolicInterval at_once = all.interval(e);
  const bool low_is_any = !result.low.defined() || reads_memory(result.low);
  const bool high_is_any = !result.high.defined() || reads_memory(result.high);
  if (low_is_any || (at_once.low.defined() && can_prove(result.low < at_once.low)))
    result.low = simplified(at_once.low);
  if (high_is_any || (at_once.high.defined() && can_prove(at_once.high < result.high)))
    result.high = simplified(at_once.high);
  return result;
}

}  // namespace tensordsl::ir
