// NumberRanges: the facts that a condition gives about variables and sums.
#include <algorithm>
#include <cstdlib>

#include "ir/analyze/number_ranges.h"
#include "ir/analyze/take_condition_apart.h"

namespace tensordsl::ir {

namespace {

/// Conditions that share parts are decomposed once for each occurrence, up to this many.
constexpr int kMostConditions = 256;
constexpr std::size_t kMostFacts = 64;
/// Sums of two numbers up to this one do not wrap.
constexpr std::int64_t kLargestSummed = std::int64_t{1} << 61;

bool is_small(std::int64_t number) { return -kLargestSummed <= number && number <= kLargestSummed; }

bool is_small(const LinearForm& sum) {
  return is_small(sum.constant) &&
         std::ranges::all_of(sum.terms(), [](const Term& t) { return is_small(t.coefficient); });
}

}  // namespace

std::optional<NumberRanges> NumberRanges::assuming(const Expr& condition, bool truth) const {
  NumberRanges result = *this;
  int budget = kMostConditions;
  if (!result.assume(condition, truth, budget)) return std::nullopt;
  return result;
}

bool NumberRanges::assume(const Expr& condition, bool truth, int& budget) {
  if (--budget < 0) return true;
  return take_condition_apart(
      condition, truth, [&](const Expr& part, bool value) { return assume(part, value, budget); },
      [&](const Expr& a, const Expr& b, bool value) { return assume_either(a, b, value, budget); },
      [&](bool value) { return assume_comparison(condition, value); });
}

bool NumberRanges::assume_comparison(const Expr& condition, bool truth) {
  const Type type = (*condition)[0].type();
  if (!type.is_integer() || type.is_vector()) return true;
  const LinearForm &a = sum((*condition)[0]), &b = sum((*condition)[1]);
  if (!is_small(a) || !is_small(b)) return true;
  const LinearForm difference = b - a;
  if (condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le) {
    // Where a <= b does not hold, b < a does.
    const LinearForm gap((condition->kind == ExprKind::Lt) == truth ? 1 : 0);
    return assume_not_negative(truth ? difference - gap : difference * -1 - gap);
  }
  if (truth != (condition->kind == ExprKind::Eq)) return assume_not_zero(difference);
  return assume_not_negative(difference) && assume_not_negative(difference * -1);
}

bool NumberRanges::assume_either(const Expr& first, const Expr& second, bool truth, int& budget) {
  NumberRanges by_first = *this, otherwise = *this;
  const bool is_by_first = by_first.assume(first, truth, budget);
  const bool is_by_second =
      otherwise.assume(first, !truth, budget) && otherwise.assume(second, truth, budget);
  if (!is_by_first && !is_by_second) return false;
  if (!is_by_first || !is_by_second) {
    *this = is_by_first ? by_first : otherwise;
    return true;
  }
  for (auto& [name, range] : variables_)
    range = hull(by_first.variables_.at(name), otherwise.variables_.at(name));
  for (const auto& [term, range] : by_first.terms_) {
    const auto other = otherwise.terms_.find(term);
    if (other != otherwise.terms_.end()) terms_.insert_or_assign(term, hull(range, other->second));
  }
  computed_ = {};
  return true;
}

bool NumberRanges::assume_not_negative(const LinearForm& given) {
  LinearForm sum = given;
  if (const std::int64_t divisor = sum.common_divisor(); divisor > 1) {
    sum.constant = floor_div(sum.constant, divisor) * divisor;
    sum = exact_quotient(sum, divisor);
  }
  const Interval range = interval(sum);
  if (range.high < 0) return false;
  if (range.low >= 0) return true;
  if (sum.terms().size() > 1 && facts_.size() < kMostFacts) facts_.push_back(sum);
  computed_ = {};
  for (const Term& t : sum.terms()) {
    LinearForm others = sum;
    others.add_atom(t.atom, -t.coefficient);
    // coefficient*term >= -others, which are at most this:
    const std::int64_t most = plain_interval(others).high;
    if (!is_small(most) || std::abs(t.coefficient) > INT32_MAX) continue;
    const std::int64_t limit = floor_div(most, std::abs(t.coefficient));
    if (!narrow(t.atom, t.coefficient > 0 ? Interval{-limit, INT64_MAX} : Interval{INT64_MIN, limit}))
      return false;
  }
  return true;
}

bool NumberRanges::assume_not_zero(const LinearForm& sum) {
  const Interval range = interval(sum);
  if (range == Interval::point(0)) return false;
  if (range.low == 0) return assume_not_negative(sum - LinearForm(1));
  if (range.high == 0) return assume_not_negative(sum * -1 - LinearForm(1));
  return true;
}

bool NumberRanges::narrow(const Expr& term, Interval range) {
  const Interval known = this->term(term);
  const Interval both{std::max(known.low, range.low), std::min(known.high, range.high)};
  if (both == known) return true;
  if (both.high < both.low) return false;
  const auto variable = term->kind == ExprKind::Var ? variables_.find(term->name) : variables_.end();
  if (variable != variables_.end()) {
    variable->second = both;
  } else {
    terms_.insert_or_assign(term, both);
  }
  computed_ = {};
  const auto is_known = [](std::int64_t end) { return end != INT64_MIN && end != INT64_MAX; };
  const auto bound = [&](const Expr& operand, Interval within) {
    if (!is_small(sum(operand))) return true;
    return (!is_small(within.low) || assume_not_negative(sum(operand) - LinearForm(within.low))) &&
           (!is_small(within.high) || assume_not_negative(LinearForm(within.high) - sum(operand)));
  };
  if (term->kind == ExprKind::Min) {
    return bound((*term)[0], {both.low, INT64_MAX}) && bound((*term)[1], {both.low, INT64_MAX});
  }
  if (term->kind == ExprKind::Max) {
    return bound((*term)[0], {INT64_MIN, both.high}) && bound((*term)[1], {INT64_MIN, both.high});
  }
  // n/k >= c says that n >= c*k, and n/k <= c that n <= c*k + k - 1.
  const std::int64_t* divisor = term->kind == ExprKind::Div ? as_int((*term)[1]) : nullptr;
  if (divisor == nullptr || *divisor <= 0) return true;
  return bound(
      (*term)[0],
      {is_known(both.low) ? saturating_mul(both.low, *divisor) : INT64_MIN,
       is_known(both.high) ? saturating_add(saturating_mul(both.high, *divisor), *divisor - 1) : INT64_MAX});
}

}  // namespace tensordsl::ir
