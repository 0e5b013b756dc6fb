// Intervals whose ends are expressions: x*2 + 1, x in [a, b] -> [a*2 + 1, b*2 + 1].
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "ir/analyze/extent_form.h"
#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Symbolic ends, both included; undefined where there is no bound.
struct SymbolicInterval {
  Expr low, high;
  bool bounded() const { return low.defined() && high.defined(); }
};

SymbolicInterval hull(const SymbolicInterval& a, const SymbolicInterval& b);
/// Returns the intersection of two intervals.
SymbolicInterval intersection(const SymbolicInterval& a, const SymbolicInterval& b);

/// Assumption about free variables by which an index is multiplied or taken modulo. NotNegative takes factors
/// to be at least 0 and divisors to be positive, as extents are, which keeps the bounds short. Any assumes
/// nothing.
enum class Factors { NotNegative, Any };

/// Ranges that an IntervalEvaluation starts from.
struct KnownRanges {
  /// Returns the range of a variable; null if it is free.
  std::function<const SymbolicInterval*(const std::string&)> variable;
  /// Returns the range of a load, a remainder or another term that is not a sum; null if it is unknown. May
  /// be empty.
  std::function<const SymbolicInterval*(const Expr&)> term;
  Factors factors = Factors::NotNegative;
  /// Returns the range of a variable that stays in the result and is not an extent; null if there is none.
  /// May be empty.
  std::function<const SymbolicInterval*(const std::string&)> left = {};
};

/// Computes the range of an expression over the known variables; other variables stay in it. The ends are not
/// simplified.
class IntervalEvaluation {
 public:
  explicit IntervalEvaluation(KnownRanges known) : known_(std::move(known)) {}

  SymbolicInterval interval(const Expr& e) const;

 private:
  SymbolicInterval narrowed(const Expr& e) const;
  SymbolicInterval compute(const Expr& e) const;
  SymbolicInterval sum(const Expr& e) const;
  SymbolicInterval product(const Expr& e) const;
  SymbolicInterval multiple(const SymbolicInterval& a, const Expr& by) const;
  SymbolicInterval quotient(const Expr& e) const;
  SymbolicInterval remainder(const Expr& e) const;
  SymbolicInterval extremum(const Expr& e) const;
  SymbolicInterval cast(const Expr& e) const;
  bool is_at_least(const Expr& e, int least) const;
  bool is_extent(const Expr& e, ExtentIs what) const;

  KnownRanges known_;
  mutable std::unordered_map<const ExprNode*, SymbolicInterval> computed_;  // intervals of shared nodes
};

}  // namespace tensordsl::ir
