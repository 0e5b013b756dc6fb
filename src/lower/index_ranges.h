// Which values an index may take, with ends that are expressions over whatever is free.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/linear_form.h"

namespace tensordsl::lower {

/// Symbolic ends, both included; undefined where there is no bound.
struct SymbolicInterval {
  Expr low, high;
  bool bounded() const { return low.defined() && high.defined(); }
};

SymbolicInterval hull(const SymbolicInterval& a, const SymbolicInterval& b);

/// The ranges of the variables in scope. A variable without a range is free: it is its own range.
class IndexRanges {
 public:
  IndexRanges with(const std::string& variable, SymbolicInterval range) const;
  /// Narrowed to where `condition` has the value `truth`, as far as its comparisons are linear; empty if nowhere.
  std::optional<IndexRanges> assuming(const Expr& condition, bool truth) const;
  SymbolicInterval interval(const Expr& e) const;
  /// The range of an index, which may be a sum that a condition spoke of. Simplified.
  SymbolicInterval index_interval(const Expr& index) const;

 private:
  /// What a condition says of a sum: it is at least `low`.
  struct Fact {
    ir::LinearForm sum;
    Expr low;
  };

  bool assume(const Expr& condition, bool truth);
  bool assume_not_negative(const Expr& e);
  bool is_free(const Expr& e) const;
  SymbolicInterval product(const Expr& e) const;
  SymbolicInterval quotient(const Expr& e) const;
  SymbolicInterval remainder(const Expr& e) const;

  std::map<std::string, SymbolicInterval> ranges_;
  std::vector<Fact> facts_;
};

}  // namespace tensordsl::lower
