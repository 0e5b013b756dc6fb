#include "lower/index_ranges.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "ir/simplifier.h"
#include "ir/simplify.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

SymbolicInterval point(const Expr& e) { return {e, e}; }

Expr later(const Expr& a, const Expr& b) { return !a.defined() ? b : !b.defined() ? a : simplify(max(a, b)); }
Expr earlier(const Expr& a, const Expr& b) {
  return !a.defined() ? b : !b.defined() ? a : simplify(min(a, b));
}

/// Ends that hold whatever the variables are.
SymbolicInterval constant_ends(const Expr& e) {
  if (!e.type().is_integer() || e.type().bits > 32) return {};
  const Interval i = bounds_of(e, {});
  SymbolicInterval result;
  if (i.low > INT32_MIN && i.low <= INT32_MAX) result.low = Expr(static_cast<int>(i.low));
  if (i.high < INT32_MAX && i.high >= INT32_MIN) result.high = Expr(static_cast<int>(i.high));
  return result;
}

SymbolicInterval cast_ends(const Expr& e) {
  const Type from = (*e)[0].type();
  if (from.is_uint() && from.bits == 8) return {Expr(0), Expr(255)};
  if (from.is_int() && from.bits == 8) return {Expr(-128), Expr(127)};
  if (from.is_bool()) return {Expr(0), Expr(1)};
  return constant_ends(e);
}

Expr simplified(const Expr& e) { return e.defined() ? simplify(e) : e; }

/// The range of an expression over the variables that `range_of` knows, with every other left as it is.
class Evaluation {
 public:
  using RangeOf = std::function<const SymbolicInterval*(const std::string&)>;
  Evaluation(RangeOf range_of, IndexRanges::Factors factors)
      : range_of_(std::move(range_of)), factors_(factors) {}

  SymbolicInterval interval(const Expr& e) const {
    if (e->operands.empty() || e.use_count() < 2) return compute(e);
    if (const auto known = known_.find(e.get()); known != known_.end()) return known->second;
    SymbolicInterval result = compute(e);
    known_.emplace(e.get(), result);
    return result;
  }

 private:
  SymbolicInterval compute(const Expr& e) const;
  SymbolicInterval product(const Expr& e) const;
  SymbolicInterval quotient(const Expr& e) const;
  SymbolicInterval remainder(const Expr& e) const;

  RangeOf range_of_;
  IndexRanges::Factors factors_;
  mutable std::unordered_map<const ExprNode*, SymbolicInterval> known_;  // of expressions that are met again
};

SymbolicInterval Evaluation::compute(const Expr& e) const {
  switch (e->kind) {
    case ExprKind::IntImm:
      return point(e);
    case ExprKind::Var: {
      const SymbolicInterval* range = range_of_(e->name);
      return range ? *range : point(e);
    }
    case ExprKind::Add: {
      const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
      SymbolicInterval result;
      if (a.low.defined() && b.low.defined()) result.low = a.low + b.low;
      if (a.high.defined() && b.high.defined()) result.high = a.high + b.high;
      return result;
    }
    case ExprKind::Sub: {
      const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
      SymbolicInterval result;
      if (a.low.defined() && b.high.defined()) result.low = a.low - b.high;
      if (a.high.defined() && b.low.defined()) result.high = a.high - b.low;
      return result;
    }
    case ExprKind::Mul:
      return product(e);
    case ExprKind::Div:
      return quotient(e);
    case ExprKind::Mod:
      return remainder(e);
    case ExprKind::Min: {
      const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
      SymbolicInterval result;
      if (a.low.defined() && b.low.defined()) result.low = min(a.low, b.low);
      result.high = !a.high.defined() ? b.high : !b.high.defined() ? a.high : min(a.high, b.high);
      return result;
    }
    case ExprKind::Max: {
      const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
      SymbolicInterval result;
      result.low = !a.low.defined() ? b.low : !b.low.defined() ? a.low : max(a.low, b.low);
      if (a.high.defined() && b.high.defined()) result.high = max(a.high, b.high);
      return result;
    }
    case ExprKind::Select:
      return hull(interval((*e)[1]), interval((*e)[2]));
    case ExprKind::Cast:
      return (*e)[0].type() == Int(32) || e.type() != Int(32) ? constant_ends(e) : cast_ends(e);
    default:
      return constant_ends(e);
  }
}

SymbolicInterval Evaluation::product(const Expr& e) const {
  for (const int side : {0, 1}) {
    const Expr& factor = (*e)[static_cast<std::size_t>(1 - side)];
    const SymbolicInterval a = interval((*e)[static_cast<std::size_t>(side)]);
    const SymbolicInterval f = interval(factor);
    if (!f.bounded() || !same(simplify(f.low), simplify(f.high))) continue;
    const Expr by = simplify(f.low);
    SymbolicInterval result;
    if (can_prove(Expr(0) <= by)) {
      if (a.low.defined()) result.low = a.low * by;
      if (a.high.defined()) result.high = a.high * by;
      return result;
    }
    if (can_prove(by <= Expr(0))) {
      if (a.high.defined()) result.low = a.high * by;
      if (a.low.defined()) result.high = a.low * by;
      return result;
    }
    if (factors_ == IndexRanges::Factors::Any) {
      if (a.bounded()) result = {min(a.low * by, a.high * by), max(a.low * by, a.high * by)};
      return result;
    }
    // An extent that is a kernel argument: taken to be no less than 0, as every extent is.
    if (by->kind == ExprKind::Var) {
      if (a.low.defined()) result.low = a.low * by;
      if (a.high.defined()) result.high = a.high * by;
      return result;
    }
  }
  return constant_ends(e);
}

SymbolicInterval Evaluation::quotient(const Expr& e) const {
  const Expr& by = (*e)[1];
  const SymbolicInterval a = interval((*e)[0]);
  SymbolicInterval result;
  if (const std::int64_t* constant = as_int(by)) {
    if (*constant <= 0) return constant_ends(e);
    if (a.low.defined()) result.low = a.low / by;
    if (a.high.defined()) result.high = a.high / by;
    return result;
  }
  // x/0 is 0, so no quotient is further from 0 than what is divided.
  if (!a.bounded()) return constant_ends(e);
  const Expr furthest = simplify(max(a.high, Expr(0) - a.low));
  const SymbolicInterval divisor = interval(by);
  const bool keeps_sign =
      can_prove(Expr(0) <= a.low) && divisor.low.defined() && can_prove(Expr(0) <= divisor.low);
  return {keeps_sign ? Expr(0) : simplify(Expr(0) - furthest), furthest};
}

/// a % k: a - k*q where a stays within one period, else [0, k - 1].
SymbolicInterval Evaluation::remainder(const Expr& e) const {
  const SymbolicInterval by = interval((*e)[1]);
  const SymbolicInterval a = interval((*e)[0]);
  const std::int64_t* k = as_int((*e)[1]);
  if (k && *k > 0 && a.bounded()) {
    const Expr low = simplify(a.low), high = simplify(a.high);
    if (can_prove(low / (*e)[1] == high / (*e)[1]))
      return {simplify(low % (*e)[1]), simplify(high % (*e)[1])};
  }
  if (k && *k > 0) return {Expr(0), Expr(static_cast<int>(*k - 1))};
  if (by.high.defined() && !k) return {Expr(0), by.high - 1};
  return {};
}

}  // namespace

SymbolicInterval hull(const SymbolicInterval& a, const SymbolicInterval& b) {
  SymbolicInterval result;
  if (a.low.defined() && b.low.defined()) result.low = same(a.low, b.low) ? a.low : min(a.low, b.low);
  if (a.high.defined() && b.high.defined()) result.high = same(a.high, b.high) ? a.high : max(a.high, b.high);
  return result;
}

IndexRanges IndexRanges::with(const std::string& variable, SymbolicInterval range) const {
  IndexRanges result = *this;
  SymbolicInterval whole{range.low.defined() ? eliminate(range.low, 0).low : range.low,
                         range.high.defined() ? eliminate(range.high, 0).high : range.high};
  result.variables_.push_back({variable, std::move(range), std::move(whole)});
  return result;
}

std::optional<IndexRanges> IndexRanges::assuming(const Expr& condition, bool truth) const {
  IndexRanges result = *this;
  if (!result.assume(condition, truth)) return std::nullopt;
  return result;
}

bool IndexRanges::assume(const Expr& condition, bool truth) {
  const auto operand = [&](std::size_t i) { return (*condition)[i]; };
  switch (condition->kind) {
    case ExprKind::IntImm:
      return (condition->value != 0) == truth;
    case ExprKind::Not:
      return assume(operand(0), !truth);
    case ExprKind::And:
    case ExprKind::Or:
      if (truth != (condition->kind == ExprKind::And)) return true;
      return assume(operand(0), truth) && assume(operand(1), truth);
    case ExprKind::Lt:
    case ExprKind::Le: {
      if (operand(0).type() != Int(32)) return true;
      const int gap = (condition->kind == ExprKind::Lt) == truth ? 1 : 0;  // not (a <= b) is b < a
      return assume_not_negative(truth ? operand(1) - operand(0) - gap : operand(0) - operand(1) - gap);
    }
    case ExprKind::Eq:
      if (!truth || operand(0).type() != Int(32)) return true;
      return assume_not_negative(operand(0) - operand(1)) && assume_not_negative(operand(1) - operand(0));
    default:
      return true;
  }
}

bool IndexRanges::assume_not_negative(const Expr& e) {
  const Expr simplified = simplify(e);
  const Expr most = eliminate(simplified, 0).high;
  if (most.defined() && can_prove(most < Expr(0))) return false;
  const LinearForm form(simplified);
  LinearForm ranged, free(form.constant);
  for (const Term& t : form.terms()) (is_free(t.atom) ? free : ranged).add_atom(t.atom, t.coefficient);
  if (form.is_constant()) return true;
  if (form.terms().size() == 1) assume_of_quotient(form);
  // What speaks of free variables alone is known of them.
  if (ranged.is_constant()) {
    ranged = form - LinearForm(form.constant);
    free = LinearForm(form.constant);
  }
  if (const auto low = to_expr(free * -1, Int(32))) facts_.push_back({ranged, *low});
  for (const Term& t : ranged.terms()) {
    for (std::size_t i = 0; t.atom->kind == ExprKind::Var && i < variables_.size(); ++i) {
      if (variables_[i].name == t.atom->name) narrow(i, form, t.coefficient);
    }
  }
  return true;
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

/// coefficient*variable + rest >= 0 bounds the variable by the largest that the rest can be, over the
/// variable itself (in what is not linear) and those inside it.
void IndexRanges::narrow(std::size_t variable, const LinearForm& not_negative, std::int64_t coefficient) {
  LinearForm others = not_negative;
  others.add_atom(make_var(variables_[variable].name), -coefficient);
  const auto rest = to_expr(others, Int(32));
  const Expr most = rest ? eliminate(*rest, variable).high : Expr();
  if (!most.defined()) return;
  const Expr by(static_cast<int>(std::abs(coefficient)));
  const Expr limit = simplify(coefficient > 0 ? Expr(0) - most / by : most / by);
  const SymbolicInterval limits = eliminate(limit, 0);
  auto& [name, range, whole] = variables_[variable];
  // What says nothing new would only hide what the ends have in common with others.
  if (coefficient > 0) {
    if (whole.low.defined() && limits.high.defined() && can_prove(limits.high <= whole.low)) return;
    range.low = later(range.low, limit);
    whole.low = later(whole.low, eliminate(range.low, 0).low);
  } else {
    if (whole.high.defined() && limits.low.defined() && can_prove(whole.high <= limits.low)) return;
    range.high = earlier(range.high, limit);
    whole.high = earlier(whole.high, eliminate(range.high, 0).high);
  }
}

bool IndexRanges::is_free(const Expr& e) const {
  bool free = true;
  visit(e, [&](const Expr& part) {
    const bool is_ranged =
        part->kind == ExprKind::Var && std::any_of(variables_.begin(), variables_.end(),
                                                   [&](const Variable& v) { return v.name == part->name; });
    free = free && part->kind != ExprKind::Load && !is_ranged;
    return free;
  });
  return free;
}

SymbolicInterval IndexRanges::interval(const Expr& index) const {
  const Expr simplified = simplify(index);
  // A tile's index becomes the sum that a fact is about only when the tile's own loops are eliminated.
  SymbolicInterval facts;
  const auto look = [&](const SymbolicInterval& ends) {
    if (ends.low.defined()) facts.low = later(facts.low, known(ends.low).low);
    if (ends.high.defined()) facts.high = earlier(facts.high, known(ends.high).high);
  };
  SymbolicInterval result = facts_.empty() ? eliminate(simplified, 0) : eliminate(simplified, 0, look);
  result.low = later(result.low, facts.low);
  result.high = earlier(result.high, facts.high);
  if (const std::int64_t* divisor = simplified->kind == ExprKind::Div ? as_int((*simplified)[1]) : nullptr;
      divisor && *divisor > 0 && !facts_.empty()) {
    const SymbolicInterval numerator = interval((*simplified)[0]);
    if (numerator.low.defined()) result.low = later(result.low, simplify(numerator.low / (*simplified)[1]));
    if (numerator.high.defined())
      result.high = earlier(result.high, simplify(numerator.high / (*simplified)[1]));
  }
  const SymbolicInterval here = known(simplified);
  return {later(result.low, here.low), earlier(result.high, here.high)};
}

SymbolicInterval IndexRanges::known(const Expr& index) const {
  SymbolicInterval result;
  const LinearForm form(index);
  for (const Fact& fact : facts_) {
    // The index as `times` the sum and a rest that has none of its terms.
    const Term& first = fact.sum.terms()[0];
    const std::int64_t times = form.coefficient_of(first.atom) / first.coefficient;
    const LinearForm others = form - fact.sum * times;
    const auto rest = to_expr(others, Int(32));
    const bool has_all = others.terms().size() + fact.sum.terms().size() == form.terms().size();
    if (times == 0 || !has_all || !rest) continue;
    const SymbolicInterval around = eliminate(*rest, 0);
    const Expr end = fact.low * Expr(static_cast<int>(times));
    if (times > 0 && around.low.defined()) result.low = later(result.low, end + around.low);
    if (times < 0 && around.high.defined()) result.high = earlier(result.high, end + around.high);
  }
  return result;
}

Expr IndexRanges::where_not_empty() const {
  std::vector<Expr> tests;
  for (const Variable& v : variables_) {
    if (v.whole.bounded()) tests.push_back(v.whole.low <= v.whole.high);
  }
  for (const Fact& fact : facts_) {
    const auto sum = to_expr(fact.sum, Int(32));
    if (sum && is_free(*sum) && is_free(fact.low)) tests.push_back(fact.low <= *sum);
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

SymbolicInterval IndexRanges::eliminate(
    const Expr& e, std::size_t first, const std::function<void(const SymbolicInterval&)>& on_the_way) const {
  SymbolicInterval result = point(e);
  for (std::size_t i = variables_.size(); i-- > first;) {
    const Variable& v = variables_[i];
    const Evaluation without([&](const std::string& name) { return name == v.name ? &v.range : nullptr; },
                             factors_);
    if (result.low.defined() && uses_var(result.low, v.name))
      result.low = simplified(without.interval(result.low).low);
    if (result.high.defined() && uses_var(result.high, v.name))
      result.high = simplified(without.interval(result.high).high);
    if (on_the_way) on_the_way(result);
  }
  if (first > 0) return result;
  // One variable after the other keeps what two of them have in common, but simplification in between may
  // lose a clamp; all at once does not.
  const Evaluation all([&](const std::string& name) { return whole_range(name); }, factors_);
  const SymbolicInterval at_once = all.interval(e);
  const bool low_is_any = !result.low.defined() || reads_memory(result.low);
  const bool high_is_any = !result.high.defined() || reads_memory(result.high);
  if (low_is_any || (at_once.low.defined() && can_prove(result.low < at_once.low)))
    result.low = simplified(at_once.low);
  if (high_is_any || (at_once.high.defined() && can_prove(at_once.high < result.high)))
    result.high = simplified(at_once.high);
  return result;
}

}  // namespace tensordsl::lower
