#include "lower/analyze/largest_value.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/nodes/interval.h"
#include "ir/nodes/linear_form.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr int kMostSums = 100;

/// Returns the extremum that either of its sides bounds in the sum: min(x, y) <= x, and -max(x, y) <= -x.
ExprKind limiting(const Term& t) { return t.coefficient > 0 ? ExprKind::Min : ExprKind::Max; }

/// Returns n of min(x, y)/n.
std::optional<int> divisor_of(const Expr& atom, ExprKind extremum) {
  if (atom->kind != ExprKind::Div || (*atom)[0]->kind != extremum) return std::nullopt;
  const std::int64_t* divisor = as_int((*atom)[1]);
  return divisor && *divisor > 0 ? std::optional(static_cast<int>(*divisor)) : std::nullopt;
}

/// Returns x and y of min(x, h) and min(y, h); also of maxima.
std::optional<std::pair<Expr, Expr>> limited_alike(const Expr& a, const Expr& b) {
  if (a->kind != b->kind || (a->kind != ExprKind::Min && a->kind != ExprKind::Max)) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      if (same((*a)[i], (*b)[j])) return std::pair((*a)[1 - i], (*b)[1 - j]);
    }
  }
  return std::nullopt;
}

class Search {
 public:
  explicit Search(const LoopScope& scope) : scope_(scope) {}

  std::int64_t largest(const Expr& size) {
    std::int64_t result = bounds_of(size, scope_.bounds).high;
    if (left_ == 0) return result;
    --left_;
    const LinearForm form(size);
    for (const Term& t : form.terms()) {
      if (is_extremum(t)) result = std::min(result, without_extremum(form, t));
      if (const auto divisor = divisor_of(t.atom, limiting(t))) {
        for (const Expr& side : (*t.atom)[0]->operands)
          result = std::min(result, with(form, t, side / *divisor));
      }
    }
    return result <= INT32_MAX / 2 ? result : std::min(result, without_loop(form));
  }

 private:
  static bool is_extremum(const Term& t) {
    return t.atom->kind == ExprKind::Min || t.atom->kind == ExprKind::Max;
  }

  std::int64_t largest_of(const LinearForm& sum) {
    const auto expr = to_expr(sum, Int(32));
    return expr ? largest(simplify(*expr, scope_.bounds)) : INT64_MAX;
  }

  std::int64_t with(LinearForm form, const Term& t, const Expr& other) {
    form.add_atom(t.atom, -t.coefficient);
    form.add(other, t.coefficient);
    return largest_of(form);
  }

  std::int64_t without_extremum(const LinearForm& form, const Term& t) {
    // min(x, h) - min(y, h) is at most x - y, or 0.
    for (const Term& other : form.terms()) {
      if (t.coefficient < 0 || other.coefficient != -t.coefficient) continue;
      const auto sides = limited_alike(t.atom, other.atom);
      if (!sides) continue;
      LinearForm rest = form;
      rest.add_atom(t.atom, -t.coefficient);
      rest.add_atom(other.atom, t.coefficient);
      LinearForm difference = rest;
      difference.add(sides->first, t.coefficient);
      difference.add(sides->second, -t.coefficient);
      return std::max(largest_of(rest), largest_of(difference));
    }
    const std::int64_t first = with(form, t, (*t.atom)[0]), second = with(form, t, (*t.atom)[1]);
    return t.atom->kind == limiting(t) ? std::min(first, second) : std::max(first, second);
  }

  std::int64_t without_loop(const LinearForm& form) {
    for (const Term& t : form.terms()) {
      const auto loop = t.atom->kind == ExprKind::Var ? scope_.last.find(t.atom->name) : scope_.last.end();
      if (loop != scope_.last.end()) return with(form, t, t.coefficient > 0 ? loop->second : Expr(0));
    }
    return INT64_MAX;
  }

  const LoopScope& scope_;
  int left_ = kMostSums;
};

}  // namespace

LoopScope with_loop(LoopScope scope, const StmtNode& loop) {
  const Interval first = bounds_of(loop.min(), scope.bounds);
  const Interval count = bounds_of(loop.extent(), scope.bounds);
  Interval range;
  range.low = first.low;
  if (first.high < INT32_MAX && count.high < INT32_MAX) range.high = first.high + count.high - 1;
  scope.bounds[loop.name] = range;
  scope.last.erase(loop.name);
  if (range.low >= 0) scope.last.insert_or_assign(loop.name, loop.min() + loop.extent() - 1);
  return scope;
}

std::int64_t largest_value(const Expr& size, const LoopScope& scope) {
  return Search(scope).largest(simplify(size, scope.bounds));
}

}  // namespace tensordsl::lower
