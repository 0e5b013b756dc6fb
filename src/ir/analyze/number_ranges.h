// Ranges of indices where every size is a number: x + n, x in [0, 3], n = 5   ->   [5, 8]
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/interval.h"
#include "ir/nodes/linear_form.h"

namespace tensordsl::ir {

/// The ranges of the variables in scope, and the facts that conditions give about them. IndexRanges answers
/// the same questions with bounds that are expressions; bounds that are numbers need no simplifier, so that a
/// runtime can do without one.
class NumberRanges {
 public:
  /// Gives the range of a variable that is not in scope: of a Param its value.
  using RangeOf = std::function<Interval(const ExprNode& variable)>;

  explicit NumberRanges(RangeOf others) : others_(std::move(others)) {}

  /// Returns these ranges with the range of another variable added. An end that is a limit of int64 is
  /// unknown.
  NumberRanges with(const std::string& variable, Interval range) const;
  /// Returns the ranges narrowed by `condition` having the value `truth`, using the comparisons that are
  /// linear in variables, loads, quotients and the like. Returns nothing if it has that value nowhere.
  std::optional<NumberRanges> assuming(const Expr& condition, bool truth) const;
  /// Returns a range that holds every value of `index`, a scalar. It is empty only where nothing is
  /// evaluated.
  Interval interval(const Expr& index) const;

 private:
  /// Cache of results, which a copy begins without, because a copy is made to add facts.
  struct Computed {
    std::unordered_map<Expr, LinearForm, ExprHash, ExprSame> sums;
    std::unordered_map<Expr, Interval, ExprHash, ExprSame> terms;
    Computed() = default;
    Computed(const Computed&) {}
    Computed& operator=(const Computed&) {
      sums.clear();
      terms.clear();
      return *this;
    }
  };

  // assume_numbers.cpp
  /// `budget`: the number of conditions to decompose; the others give no facts.
  bool assume(const Expr& condition, bool truth, int& budget);
  bool assume_comparison(const Expr& condition, bool truth);
  bool assume_either(const Expr& first, const Expr& second, bool truth, int& budget);
  bool assume_not_negative(const LinearForm& sum);
  bool assume_not_zero(const LinearForm& sum);
  bool narrow(const Expr& term, Interval range);

  // number_ranges.cpp
  Interval interval_of_cases(const Expr& index, int& cases) const;
  /// Splits an integer into terms; a term with a single value becomes a part of the constant.
  const LinearForm& sum(const Expr& e) const;
  LinearForm compute_sum(const Expr& e) const;
  /// Returns the range of an expression that is not a sum.
  Interval term(const Expr& e) const;
  Interval compute_term(const Expr& e, bool by_facts) const;
  Interval interval(const LinearForm& sum) const;
  /// Adds up the ranges of the terms.
  Interval plain_interval(const LinearForm& sum) const;
  Interval interval_by_system(const LinearForm& sum, Interval so_far) const;
  /// Returns sums that are not negative by the meaning of a term.
  std::vector<LinearForm> meaning_of(const Expr& term) const;

  RangeOf others_;
  std::map<std::string, Interval> variables_;
  std::unordered_map<Expr, Interval, ExprHash, ExprSame>
      terms_;                      // ranges that conditions give to terms other than variables
  std::vector<LinearForm> facts_;  // none is negative
  mutable Computed computed_;
};

}  // namespace tensordsl::ir
