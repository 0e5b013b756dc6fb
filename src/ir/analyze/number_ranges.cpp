#include "ir/analyze/number_ranges.h"

#include <algorithm>

#include "ir/analyze/linear_system.h"
#include "ir/analyze/select_cases.h"

namespace tensordsl::ir {
namespace {

constexpr std::size_t kMaxTermsOfSystem = 12;
/// Sums of i64 whose operands are within it do not wrap.
constexpr Interval kNoWrap{-(std::int64_t{1} << 61), std::int64_t{1} << 61};

/// True for the types whose values are terms of sums: indices, and integers that hold every index.
bool is_summed(Type type) { return type == Int(32) || type == Int(64); }

bool is_compound(const Expr& term) {
  const ExprKind kind = term->kind;
  return kind == ExprKind::Min || kind == ExprKind::Max || kind == ExprKind::Div || kind == ExprKind::Mod;
}

Interval intersection(Interval a, Interval b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }

/// Returns the values of a type. Those of more than 16 bits do not bound an index: a Func over all of them
/// does not fit in memory.
Interval values_of(Type type) {
  if (type.bits <= 16) return range_of(type);
  return type.is_uint() ? Interval{.low = 0} : Interval{};
}

/// Returns the values that a result may have whose exact value is within `exact`. Indices do not wrap.
Interval in_type(Type type, Interval exact) {
  if (type == Int(32)) return exact;
  const Interval held = type.bits < 64   ? range_of(type)
                        : type.is_uint() ? Interval{0, kNoWrap.high}
                                         : kNoWrap;
  return held.contains(exact) ? exact : values_of(type);
}

/// Returns the values of an integer intrinsic; `operand` returns the values of an operand. A broken promise
/// has the low end as its value.
template <typename RangeOfOperand>
Interval of_intrinsic(const ExprNode& e, const RangeOfOperand& operand) {
  if (e.name == "promise_clamped")
    return hull(operand(1),
                {std::max(operand(0).low, operand(1).low), std::min(operand(0).high, operand(2).high)});
  if (e.name == "bitwise_and") return bits_in_both(operand(0), operand(1), {});
  if (e.name == "bitwise_or" || e.name == "bitwise_xor") return bits_in_either(operand(0), operand(1), {});
  if (e.name == "popcount" || e.name == "count_leading_zeros") return {0, e.type.bits};
  return {};
}

}  // namespace

NumberRanges NumberRanges::with(const std::string& variable, Interval range) const {
  NumberRanges result = *this;
  result.variables_[variable] = range;
  return result;
}

Interval NumberRanges::interval(const Expr& index) const {
  int cases = kMaxSelectCases;
  return interval_of_cases(index, cases);
}

Interval NumberRanges::interval_of_cases(const Expr& index, int& cases) const {
  const Interval together = interval(sum(index));
  const Expr choice = first_select(index);
  if (!choice.defined() || --cases < 0) return together;
  std::optional<Interval> all;
  for (const bool truth : {true, false}) {
    const auto there = assuming((*choice)[0], truth);
    if (!there) continue;
    const Interval part = there->interval_of_cases(index_in_case(index, choice, truth), cases);
    all = all ? hull(*all, part) : part;
  }
  return all ? intersection(together, *all) : together;
}

const LinearForm& NumberRanges::sum(const Expr& e) const {
  if (const auto known = computed_.sums.find(e); known != computed_.sums.end()) return known->second;
  return computed_.sums.emplace(e, compute_sum(e)).first->second;
}

// Uses only the ranges of terms, which are remembered while they are found: facts may lead back to this sum.
LinearForm NumberRanges::compute_sum(const Expr& e) const {
  if (const std::int64_t* value = as_int(e)) return LinearForm(*value);
  if (is_summed(e.type()) && (e->kind == ExprKind::Add || e->kind == ExprKind::Sub)) {
    const LinearForm &a = sum((*e)[0]), &b = sum((*e)[1]);
    LinearForm form = e->kind == ExprKind::Add ? a + b : a - b;
    if (e.type() == Int(32) || kNoWrap.contains(plain_interval(form))) return form;
  }
  if (is_summed(e.type()) && e->kind == ExprKind::Mul) {
    const LinearForm &a = sum((*e)[0]), &b = sum((*e)[1]);
    if (a.is_constant() && kNoWrap.contains(plain_interval(b) * Interval::point(a.constant)))
      return b * a.constant;
    if (b.is_constant() && kNoWrap.contains(plain_interval(a) * Interval::point(b.constant)))
      return a * b.constant;
  }
  // A number that the other type can hold is not changed.
  if (e->kind == ExprKind::Cast && is_summed(e.type()) && is_summed((*e)[0].type()) &&
      (e.type() == Int(64) || range_of(e.type()).contains(plain_interval(sum((*e)[0]))))) {
    return sum((*e)[0]);
  }
  const Interval range = term(e);
  if (range.is_point()) return LinearForm(range.low);
  LinearForm form;
  form.add_atom(e, 1);
  return form;
}

Interval NumberRanges::term(const Expr& e) const {
  if (const auto known = computed_.terms.find(e); known != computed_.terms.end()) return known->second;
  Interval range = compute_term(e, false);
  if (const auto known = terms_.find(e); known != terms_.end()) range = intersection(range, known->second);
  computed_.terms.emplace(e, range);
  if (facts_.empty() || e->operands.empty()) return range;
  // A fact about an operand may be about the term as well, which has a range by now.
  range = intersection(range, compute_term(e, true));
  computed_.terms.insert_or_assign(e, range);
  return range;
}

Interval NumberRanges::compute_term(const Expr& expr, bool by_facts) const {
  const ExprNode& e = *expr;
  if (e.type.is_float() || e.type.is_vector()) return {};
  const auto operand = [&](std::size_t i) {
    return by_facts ? interval(sum(e[i])) : plain_interval(sum(e[i]));
  };
  switch (e.kind) {
    case ExprKind::Var: {
      const auto variable = variables_.find(e.name);
      Interval range = variable != variables_.end() ? variable->second : others_(e);
      if (e.type == UInt(64) && range.high == range_of(e.type).high) range.high = INT64_MAX;
      return range;
    }
    case ExprKind::Add:
      return in_type(e.type, operand(0) + operand(1));
    case ExprKind::Sub:
      return in_type(e.type, operand(0) - operand(1));
    case ExprKind::Mul:
      return in_type(e.type, operand(0) * operand(1));
    case ExprKind::Div:
      return in_type(e.type, floor_div(operand(0), operand(1)));
    case ExprKind::Mod:
      return floor_mod(operand(0), operand(1));
    case ExprKind::Min:
      return min(operand(0), operand(1));
    case ExprKind::Max:
      return max(operand(0), operand(1));
    case ExprKind::Select:
      return hull(operand(1), operand(2));
    case ExprKind::Cast: {
      if (e[0].type().is_float()) return values_of(e.type);
      const Interval value = operand(0);
      // A u64 may be more than any end, and then something else in another type.
      const bool is_known = e[0].type() != UInt(64) || value.high != INT64_MAX;
      return is_known && range_of(e.type).contains(value) ? value : values_of(e.type);
    }
    case ExprKind::Intrinsic:
      return intersection(of_intrinsic(e, operand), values_of(e.type));
    default:
      return values_of(e.type);
  }
}

Interval NumberRanges::plain_interval(const LinearForm& sum) const {
  Interval result = Interval::point(sum.constant);
  for (const Term& t : sum.terms()) result = result + term(t.atom) * Interval::point(t.coefficient);
  return result;
}

Interval NumberRanges::interval(const LinearForm& sum) const {
  const Interval plain = plain_interval(sum);
  if (sum.is_constant()) return plain;
  const bool is_plain = facts_.empty() && (sum.terms().size() == 1 ||
                                           std::ranges::none_of(sum.terms(), is_compound, &Term::atom));
  return is_plain ? plain : interval_by_system(sum, plain);
}

std::vector<LinearForm> NumberRanges::meaning_of(const Expr& atom) const {
  std::vector<LinearForm> result;
  LinearForm value;
  value.add_atom(atom, 1);
  const Interval range = term(atom);
  if (range.low != INT64_MIN) result.push_back(value - LinearForm(range.low));
  if (range.high != INT64_MAX) result.push_back(LinearForm(range.high) - value);
  if (atom->kind == ExprKind::Min || atom->kind == ExprKind::Max) {
    for (const Expr& side : atom->operands)
      result.push_back((sum(side) - value) * (atom->kind == ExprKind::Min ? 1 : -1));
  }
  const bool divides = (atom->kind == ExprKind::Div || atom->kind == ExprKind::Mod) && is_summed(atom.type());
  const LinearForm divisor = divides ? sum((*atom)[1]) : LinearForm();
  if (!divisor.is_constant() || divisor.constant <= 0) return result;
  // n - (k - 1) <= k*(n/k) <= n, and n%k is the rest.
  const bool is_quotient = atom->kind == ExprKind::Div;
  const LinearForm quotient = is_quotient ? value : sum(make_binary(ExprKind::Div, (*atom)[0], (*atom)[1]));
  const LinearForm left = sum((*atom)[0]) - quotient * divisor.constant;
  result.push_back(is_quotient ? left : left - value);
  result.push_back(is_quotient ? LinearForm(divisor.constant - 1) - left : value - left);
  return result;
}

Interval NumberRanges::interval_by_system(const LinearForm& sum, Interval so_far) const {
  std::vector<Expr> atoms;
  const auto add_atoms = [&](const LinearForm& form) {
    for (const Term& t : form.terms()) {
      const bool is_known = std::ranges::any_of(atoms, [&](const Expr& a) { return same(a, t.atom); });
      if (!is_known) atoms.push_back(t.atom);
    }
  };
  add_atoms(sum);
  std::vector<LinearForm> not_negative;
  const auto add = [&](const LinearForm& form) {
    add_atoms(form);
    not_negative.push_back(form);
  };
  std::vector<bool> is_used(facts_.size(), false);
  for (std::size_t i = 0; i < atoms.size() && atoms.size() <= kMaxTermsOfSystem; ++i) {
    const Expr atom = atoms[i];
    for (std::size_t f = 0; f < facts_.size(); ++f) {
      if (is_used[f] || facts_[f].coefficient_of(atom) == 0) continue;
      is_used[f] = true;
      add(facts_[f]);
    }
    for (const LinearForm& form : meaning_of(atom)) add(form);
  }
  const LinearBounds bounds = bounds_of(sum, not_negative, atoms);
  for (const LinearBound& b : bounds.low)
    so_far.low = std::max(so_far.low, -floor_div(-b.sum.constant, b.divisor));
  for (const LinearBound& b : bounds.high)
    so_far.high = std::min(so_far.high, floor_div(b.sum.constant, b.divisor));
  return so_far;
}

}  // namespace tensordsl::ir
