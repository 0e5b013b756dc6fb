#include "ir/analyze/symbolic_interval.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/analyze/extent_form.h"
#include "ir/nodes/interval.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::ir {
namespace {

SymbolicInterval point(const Expr& e) { return {e, e}; }

bool is_point(const SymbolicInterval& i) { return i.bounded() && same(i.low, i.high); }

/// The values of a type of up to 16 bits.
SymbolicInterval ends_of(Type type) {
  if (type.is_float() || type.bits > 16) return {};
  const Interval all = range_of(type);
  return {Expr(static_cast<int>(all.low)), Expr(static_cast<int>(all.high))};
}

/// Ends that hold whatever the variables are.
SymbolicInterval constant_ends(const Expr& e) {
  if (!e.type().is_integer() || e.type().bits > 32) return {};
  if (e->kind == ExprKind::Load || e->kind == ExprKind::Call) return ends_of(e.type());
  const Interval i = bounds_of(e, {});
  SymbolicInterval result;
  if (i.low > INT32_MIN && i.low <= INT32_MAX) result.low = Expr(static_cast<int>(i.low));
  if (i.high < INT32_MAX && i.high >= INT32_MIN) result.high = Expr(static_cast<int>(i.high));
  return result;
}

/// If both ends are constants.
std::optional<Interval> constant(const SymbolicInterval& i) {
  if (!i.bounded()) return std::nullopt;
  const Interval low = bounds_of(i.low), high = bounds_of(i.high);
  if (!low.is_point() || !high.is_point()) return std::nullopt;
  return Interval{low.low, high.low};
}

SymbolicInterval symbolic(Interval i) {
  if (!range_of(Int(32)).contains(i)) return {};
  return {make_int(Int(32), i.low), make_int(Int(32), i.high)};
}

/// Returns the upper bounds that `high` implies: itself, and each operand of a minimum.
std::vector<Expr> upper_ends(const Expr& high) {
  std::vector<Expr> ends{high};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i]->kind != ExprKind::Min) continue;
    const Expr a = (*ends[i])[0], b = (*ends[i])[1];
    ends.insert(ends.end(), {a, b});
  }
  return ends;
}

/// An end of `a` from which its low end has the same quotient by k > 0, and so all between them; nothing if
/// none is known. An empty range has the quotient of its low end. Needs: simplified ends.
std::optional<Expr> end_of_period(const SymbolicInterval& a, const Expr& k) {
  for (const Expr& end : upper_ends(a.high)) {
    if (can_prove(a.low / k == end / k)) return end;
  }
  return std::nullopt;
}

/// No sum, and no leaf of one.
bool is_term(const Expr& e) {
  return e->kind != ExprKind::IntImm && e->kind != ExprKind::Var && e->kind != ExprKind::Add &&
         e->kind != ExprKind::Sub;
}

}  // namespace

SymbolicInterval hull(const SymbolicInterval& a, const SymbolicInterval& b) {
  SymbolicInterval result;
  if (a.low.defined() && b.low.defined()) result.low = same(a.low, b.low) ? a.low : min(a.low, b.low);
  if (a.high.defined() && b.high.defined()) result.high = same(a.high, b.high) ? a.high : max(a.high, b.high);
  return result;
}

SymbolicInterval intersection(const SymbolicInterval& a, const SymbolicInterval& b) {
  const auto later = [](const Expr& x, const Expr& y) {
    return !x.defined() ? y : !y.defined() ? x : simplify(max(x, y));
  };
  const auto earlier = [](const Expr& x, const Expr& y) {
    return !x.defined() ? y : !y.defined() ? x : simplify(min(x, y));
  };
  return {later(a.low, b.low), earlier(a.high, b.high)};
}

SymbolicInterval IntervalEvaluation::interval(const Expr& e) const {
  if (e->operands.empty() || e.use_count() < 2) return narrowed(e);
  if (const auto known = computed_.find(e.get()); known != computed_.end()) return known->second;
  SymbolicInterval result = narrowed(e);
  computed_.emplace(e.get(), result);
  return result;
}

SymbolicInterval IntervalEvaluation::narrowed(const Expr& e) const {
  const SymbolicInterval* known = known_.term && is_term(e) ? known_.term(e) : nullptr;
  return known ? intersection(compute(e), *known) : compute(e);
}

SymbolicInterval IntervalEvaluation::compute(const Expr& e) const {
  switch (e->kind) {
    case ExprKind::IntImm:
      return point(e);
    case ExprKind::Var: {
      const SymbolicInterval* range = known_.variable(e->name);
      return range ? *range : point(e);
    }
    case ExprKind::Add:
    case ExprKind::Sub:
      return sum(e);
    case ExprKind::Mul:
      return product(e);
    case ExprKind::Div:
      return quotient(e);
    case ExprKind::Mod:
      return remainder(e);
    case ExprKind::Min:
    case ExprKind::Max:
      return extremum(e);
    case ExprKind::Select:
      return hull(interval((*e)[1]), interval((*e)[2]));
    case ExprKind::Cast:
      return cast(e);
    case ExprKind::Intrinsic:
      if (e->name != "promise_clamped" || e.type() != Int(32)) return constant_ends(e);
      return intersection(interval((*e)[0]), {interval((*e)[1]).low, interval((*e)[2]).high});
    default:
      return constant_ends(e);
  }
}

SymbolicInterval IntervalEvaluation::sum(const Expr& e) const {
  const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
  SymbolicInterval result;
  if (e->kind == ExprKind::Add) {
    if (a.low.defined() && b.low.defined()) result.low = a.low + b.low;
    if (a.high.defined() && b.high.defined()) result.high = a.high + b.high;
  } else {
    if (a.low.defined() && b.high.defined()) result.low = a.low - b.high;
    if (a.high.defined() && b.low.defined()) result.high = a.high - b.low;
  }
  return result;
}

SymbolicInterval IntervalEvaluation::product(const Expr& e) const {
  const SymbolicInterval sides[] = {interval((*e)[0]), interval((*e)[1])};
  for (const int side : {0, 1}) {
    const SymbolicInterval& f = sides[1 - side];
    if (!f.bounded()) continue;
    const Expr by = simplify(f.low);
    if (!same(by, simplify(f.high))) continue;
    const SymbolicInterval result = multiple(sides[side], by);
    if (result.low.defined() || result.high.defined()) return result;
  }
  const auto a = constant(sides[0]), b = constant(sides[1]);
  if (a && b) {
    const SymbolicInterval corners = symbolic(*a * *b);
    if (corners.bounded()) return corners;
  }
  const auto is_not_negative = [](const SymbolicInterval& i) {
    return i.bounded() && can_prove(Expr(0) <= i.low);
  };
  if (is_not_negative(sides[0]) && is_not_negative(sides[1]))
    return {sides[0].low * sides[1].low, sides[0].high * sides[1].high};
  return constant_ends(e);
}

/// Multiplies an interval by a single value.
SymbolicInterval IntervalEvaluation::multiple(const SymbolicInterval& a, const Expr& by) const {
  if (is_point(a)) return point(a.low * by);
  const auto keeps_order = [&]() -> SymbolicInterval {
    SymbolicInterval result;
    if (a.low.defined()) result.low = a.low * by;
    if (a.high.defined()) result.high = a.high * by;
    return result;
  };
  if (is_at_least(by, 0)) return keeps_order();
  if (can_prove(by <= Expr(0))) {
    SymbolicInterval result;
    if (a.high.defined()) result.low = a.high * by;
    if (a.low.defined()) result.high = a.low * by;
    return result;
  }
  if (is_extent(by, ExtentIs::NotNegative)) return keeps_order();
  if (known_.factors == Factors::NotNegative && by->kind != ExprKind::Var) return {};
  if (!a.bounded()) return {};
  return {min(a.low * by, a.high * by), max(a.low * by, a.high * by)};
}

bool IntervalEvaluation::is_at_least(const Expr& e, int least) const {
  if (!e.defined()) return false;
  const SymbolicInterval* range = known_.left && e->kind == ExprKind::Var ? known_.left(e->name) : nullptr;
  return can_prove(Expr(least) <= e) ||
         (range && range->low.defined() && can_prove(Expr(least) <= range->low));
}

/// True for kernel arguments that are taken to be extents. The variable of a loop around a statement is named
/// "f.x", which no kernel argument is.
bool IntervalEvaluation::is_extent(const Expr& e, ExtentIs what) const {
  return known_.factors == Factors::NotNegative && has_extent_form(e, what, [&](const std::string& name) {
           return name.find('.') == std::string::npos && !(known_.left && known_.left(name));
         });
}

SymbolicInterval IntervalEvaluation::quotient(const Expr& e) const {
  const Expr& by = (*e)[1];
  const SymbolicInterval a = interval((*e)[0]);
  SymbolicInterval result;
  if (const std::int64_t* k = as_int(by)) {
    if (*k > 0) {
      if (a.bounded()) {
        const SymbolicInterval ends{simplify(a.low), simplify(a.high)};
        if (ends.high->kind == ExprKind::Min && end_of_period(ends, by)) return point(ends.low / by);
      }
      if (a.low.defined()) result.low = a.low / by;
      if (a.high.defined()) result.high = a.high / by;
      return result;
    }
  }
  if (!a.bounded()) return constant_ends(e);
  const SymbolicInterval divisor = interval(by);
  const auto numbers = constant(a), divisors = constant(divisor);
  if (numbers && divisors) return symbolic(floor_div(*numbers, *divisors));
  if (is_point(a) && is_point(divisor)) return point(a.low / divisor.low);
  if (is_point(divisor)) {
    // Quotients by one divisor are monotonic from one end to the other.
    const Expr at_low = a.low / divisor.low, at_high = a.high / divisor.low;
    if (is_at_least(divisor.low, 0)) return {at_low, at_high};
    return {min(at_low, at_high), max(at_low, at_high)};
  }
  // x/0 is 0, so no quotient is further from 0 than the dividend.
  const Expr furthest = simplify(max(a.high, Expr(0) - a.low));
  const bool keeps_sign =
      can_prove(Expr(0) <= a.low) && divisor.low.defined() && can_prove(Expr(0) <= divisor.low);
  return {keeps_sign ? Expr(0) : simplify(Expr(0) - furthest), furthest};
}

/// a % k: a - k*q where a stays within one period, else [0, k - 1] or, of a negative k, [k + 1, 0].
SymbolicInterval IntervalEvaluation::remainder(const Expr& e) const {
  const SymbolicInterval by = interval((*e)[1]);
  const SymbolicInterval a = interval((*e)[0]);
  const std::int64_t* k = as_int((*e)[1]);
  if (k && *k > 0 && a.bounded()) {
    const SymbolicInterval ends{simplify(a.low), simplify(a.high)};
    if (const auto end = end_of_period(ends, (*e)[1]))
      return {simplify(ends.low % (*e)[1]), simplify(*end % (*e)[1])};
  }
  if (k && *k > 0) return {Expr(0), Expr(static_cast<int>(*k - 1))};
  const auto numbers = constant(a), divisors = constant(by);
  if (divisors) return symbolic(floor_mod(numbers.value_or(range_of(Int(32))), *divisors));
  if (is_point(a) && is_point(by)) return point(a.low % by.low);
  // x % 0 is 0.
  const bool by_extent = is_point(by) && is_extent(simplify(by.low), ExtentIs::Positive);
  SymbolicInterval result;
  if (by_extent || is_at_least(by.low, 0)) {
    result.low = Expr(0);
  } else if (by.low.defined()) {
    result.low = min(by.low + 1, Expr(0));
  }
  if (by_extent || is_at_least(by.low, 1)) {
    if (by.high.defined()) result.high = by.high - 1;
  } else if (by.high.defined()) {
    result.high = max(by.high - 1, Expr(0));
  }
  return result;
}

SymbolicInterval IntervalEvaluation::extremum(const Expr& e) const {
  const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
  SymbolicInterval result;
  if (e->kind == ExprKind::Min) {
    if (a.low.defined() && b.low.defined()) result.low = min(a.low, b.low);
    result.high = !a.high.defined() ? b.high : !b.high.defined() ? a.high : min(a.high, b.high);
  } else {
    result.low = !a.low.defined() ? b.low : !b.low.defined() ? a.low : max(a.low, b.low);
    if (a.high.defined() && b.high.defined()) result.high = max(a.high, b.high);
  }
  return result;
}

/// A cast does not change a value that the type can hold.
SymbolicInterval IntervalEvaluation::cast(const Expr& e) const {
  const Type from = (*e)[0].type();
  if (from.is_float() || e.type().is_vector()) return constant_ends(e);
  const bool has_range = from == Int(32) || (*e)[0]->kind == ExprKind::Cast;
  SymbolicInterval value = has_range ? interval((*e)[0]) : ends_of(from);
  if (known_.term) {
    if (const SymbolicInterval* known = known_.term((*e)[0])) value = intersection(value, *known);
  }
  const auto numbers = constant(value);
  if (numbers && range_of(e.type()).contains(*numbers)) return symbolic(*numbers);
  const SymbolicInterval any = ends_of(e.type());
  return any.bounded() ? any : constant_ends(e);
}

}  // namespace tensordsl::ir
