#include "lower/analyze/launch_assumptions.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_index(const Expr& e) { return e->kind == ExprKind::Var && e.type() == Int(32); }

class FactCollector {
 public:
  void add(const Expr& condition) {
    const auto& operands = condition->operands;
    switch (condition->kind) {
      case ExprKind::And:
        add(operands[0]);
        add(operands[1]);
        return;
      case ExprKind::Eq:
        add_equality(operands[0], operands[1]);
        add_equality(operands[1], operands[0]);
        return;
      case ExprKind::Lt:
      case ExprKind::Le: {
        if (add_sides(*condition)) return;
        const std::int64_t strict = condition->kind == ExprKind::Lt ? 1 : 0;
        const std::int64_t* low = as_int(operands[0]);
        const std::int64_t* high = as_int(operands[1]);
        if (is_index(operands[0]) && high) limit(operands[0]->name, {INT32_MIN, *high - strict});
        if (is_index(operands[1]) && low) limit(operands[1]->name, {*low + strict, INT32_MAX});
        return;
      }
      default:
        return;
    }
  }

  LaunchAssumptions take() {
    for (const auto& [name, divisor] : divisors_) {
      if (!facts_.values.contains(name))
        facts_.values[name] =
            make_var(name) / Expr(static_cast<int>(divisor)) * Expr(static_cast<int>(divisor));
    }
    return std::move(facts_);
  }

 private:
  /// Splits a < min(b, c) into a < b and a < c. Empty for other comparisons.
  bool add_sides(const ExprNode& comparison) {
    for (const std::size_t side : {0, 1}) {
      const Expr& extremum = comparison[side];
      if (extremum->kind != (side == 0 ? ExprKind::Max : ExprKind::Min)) continue;
      for (const Expr& part : extremum->operands) {
        const Expr &a = side == 0 ? part : comparison[0], &b = side == 0 ? comparison[1] : part;
        add(simplify(make_binary(comparison.kind, a, b)));
      }
      return true;
    }
    return false;
  }

  void add_equality(const Expr& a, const Expr& b) {
    const std::int64_t* value = as_int(b);
    if (!value) return;
    if (is_index(a)) facts_.values[a->name] = Expr(static_cast<int>(*value));
    const bool is_remainder =
        a->kind == ExprKind::Mod && is_index((*a)[0]) && as_int((*a)[1]) && *as_int((*a)[1]) > 0;
    if (!is_remainder || *value != 0) return;
    std::int64_t& divisor = divisors_.try_emplace((*a)[0]->name, 1).first->second;
    const std::int64_t both = std::lcm(divisor, *as_int((*a)[1]));
    if (both <= INT32_MAX) divisor = both;
  }

  void limit(const std::string& name, Interval range) {
    Interval& known = facts_.bounds.try_emplace(name, Interval{INT32_MIN, INT32_MAX}).first->second;
    known = {std::max(known.low, range.low), std::min(known.high, range.high)};
  }

  LaunchAssumptions facts_;
  std::map<std::string, std::int64_t> divisors_;
};

}  // namespace

Expr both(const Expr& a, const Expr& b) {
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  return a && b;
}

bool can_prove_with(const LaunchAssumptions& facts, const Expr& test) {
  return can_prove(substitute(test, facts.values), facts.bounds);
}

LaunchAssumptions assumptions_of(const Expr& condition) {
  FactCollector collector;
  if (condition.defined()) collector.add(condition);
  return collector.take();
}

}  // namespace tensordsl::lower
