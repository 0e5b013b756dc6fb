#include "ops/size_bounds.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "ops/checked_integers.h"
#include "ops/size.h"

namespace tensordsl::ops {

using ir::ExprKind;
using ir::LinearForm;
using ir::Term;

namespace {

/// The known divisor of a quotient, if it is positive; else 0.
std::int64_t divisor_of(const Expr& atom) {
  const std::int64_t* divisor = atom->kind == ExprKind::Div ? ir::as_int((*atom)[1]) : nullptr;
  return divisor && *divisor > 0 ? *divisor : 0;
}

class LeastValue {
 public:
  static constexpr int kMostSplits = 6;

  explicit LeastValue(std::int64_t dimension) : dimension_(dimension) {}

  /// Returns nothing if no number is known that is 0 or more. `splits` is how many extrema and quotients are
  /// split into cases: each may double the work.
  std::optional<std::int64_t> of(const LinearForm& form, int splits) const {
    if (const auto extremum = splits > 0 ? extremum_of(form) : std::nullopt) {
      const auto with = [&](const Expr& operand) {
        LinearForm sum = form;
        sum.add_atom(extremum->atom, -extremum->coefficient);
        sum.add(operand, extremum->coefficient);
        return of(sum, splits - 1);
      };
      const auto a = with((*extremum->atom)[0]), b = with((*extremum->atom)[1]);
      if (!is_least_of_sums(*extremum)) return std::max(a, b);
      return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
    }
    if (const auto lowest = of_terms(form, splits)) return lowest;
    return splits >= kSplitsOfDivisor ? without_divisor(form, splits - kSplitsOfDivisor) : std::nullopt;
  }

 private:
  /// The splits that removing a divisor costs: kMostSplits allow two of these.
  static constexpr int kSplitsOfDivisor = 3;

  std::optional<std::int64_t> of_atom(const Expr& atom) const {
    const auto operand = [&](std::size_t i) { return of(LinearForm((*atom)[i]), kMostSplits); };
    switch (atom->kind) {
      case ExprKind::Var:
        return Size::is_count(atom->name) ? 0 : dimension_;
      case ExprKind::Mul: {
        const auto a = of_atom((*atom)[0]), b = of_atom((*atom)[1]);
        return a && b ? std::optional(checked_product(*a, *b)) : std::nullopt;
      }
      case ExprKind::Div: {
        const std::int64_t* divisor = ir::as_int((*atom)[1]);
        const auto a = operand(0), b = operand(1);
        return a && b ? std::optional(divisor ? floored_quotient(*a, *divisor) : 0) : std::nullopt;
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

  /// Adds up the lower bounds of each term.
  std::optional<std::int64_t> of_terms(const LinearForm& form, int splits) const {
    LinearForm rest = form;
    const std::int64_t of_quotients = splits > 0 ? take_quotients(rest, splits - 1) : 0;
    std::int64_t lowest = checked_sum(rest.constant, of_quotients);
    for (const Term& term : rest.terms()) {
      const auto least = term.coefficient > 0 ? of_atom(term.atom) : std::nullopt;
      if (!least) return std::nullopt;
      lowest = checked_sum(lowest, checked_product(term.coefficient, *least));
    }
    return lowest >= 0 ? std::optional(lowest) : std::nullopt;
  }

  /// Returns a number that a/n - b/n is not below, where both have the same constant divisor n > 0: a/n is at
  /// least b/n + m/n, if a is at least b + m. Nothing if none is known.
  std::optional<std::int64_t> of_quotients(const Expr& a, const Expr& b, int splits) const {
    const std::int64_t divisor = divisor_of(b);
    if (divisor == 0 || divisor_of(a) != divisor) return std::nullopt;
    const LinearForm apart = LinearForm((*a)[0]) - LinearForm((*b)[0]);
    if (apart.terms().empty()) return floored_quotient(apart.constant, divisor);
    const auto m = of(apart, splits);
    return m ? std::optional(floored_quotient(*m, divisor)) : std::nullopt;
  }

  /// Takes quotients that are subtracted from `form`, each with one that is added and is known not to be
  /// smaller by much. Returns the least value of their sum.
  std::int64_t take_quotients(LinearForm& form, int splits) const {
    const std::vector<Term> terms(form.terms().begin(), form.terms().end());
    for (const Term& less : terms) {
      if (less.coefficient >= 0) continue;
      for (const Term& more : terms) {
        if (more.coefficient < -less.coefficient) continue;
        const auto apart = of_quotients(more.atom, less.atom, splits);
        if (!apart) continue;
        form.add_atom(more.atom, less.coefficient);
        form.add_atom(less.atom, -less.coefficient);
        return checked_product(-less.coefficient, *apart);
      }
    }
    return 0;
  }

  /// Bounds like of(), by a multiple of the sum: n - n/2 is not below half of 2*n - n, and (n + 3)/4*4 - n is
  /// not below n + 3 - 3 - n.
  std::optional<std::int64_t> without_divisor(const LinearForm& form, int splits) const {
    for (const Term& term : form.terms()) {
      const std::int64_t divisor = divisor_of(term.atom);
      // Products of two numbers of 32 bits do not overflow.
      if (divisor == 0 || !ir::fits(form, Int(32))) continue;
      LinearForm multiple = form;
      multiple.add_atom(term.atom, -term.coefficient);
      multiple.scale(divisor);
      multiple.add((*term.atom)[0], term.coefficient);
      if (term.coefficient > 0) multiple.constant -= term.coefficient * (divisor - 1);
      multiple.constant += divisor - 1;  // the sum is a whole number
      if (const auto lowest = of(multiple, splits)) return *lowest / divisor;
    }
    return std::nullopt;
  }

  std::int64_t dimension_;
};

}  // namespace

bool is_least_of_sums(const Term& extremum) {
  return (extremum.atom->kind == ExprKind::Min) == (extremum.coefficient > 0);
}

std::optional<Term> extremum_of(const LinearForm& form) {
  std::optional<Term> found;
  for (const Term& term : form.terms()) {
    if (term.atom->kind != ExprKind::Min && term.atom->kind != ExprKind::Max) continue;
    if (is_least_of_sums(term)) return term;
    if (!found) found = term;
  }
  return found;
}

std::optional<std::int64_t> least_value(const LinearForm& sum, std::int64_t dimension) {
  return LeastValue(dimension).of(sum, LeastValue::kMostSplits);
}

}  // namespace tensordsl::ops
