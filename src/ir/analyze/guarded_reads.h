// What an expression reads, and what is known where it does: select(0 <= x && x < 4, f(x), 0) reads f(x)
// with x in [0, 3].
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/analyze/evaluation_guards.h"
#include "ir/analyze/index_ranges.h"

namespace tensordsl::ir {

/// Finds Loads and Calls. A side of a select and the right side of && and || count where they are evaluated.
class GuardedReads {
 public:
  using IsWanted = std::function<bool(const Expr& read)>;
  using OnRead = std::function<void(const Expr& read, const IndexRanges& there)>;
  GuardedReads(IsWanted is_wanted, OnRead on_read)
      : is_wanted_(std::move(is_wanted)), on_read_(std::move(on_read)) {}
  /// What has none of `names` has nothing that is wanted.
  GuardedReads(IsWanted is_wanted, OnRead on_read, NameFilter names)
      : is_wanted_(std::move(is_wanted)), on_read_(std::move(on_read)), names_(names) {}

  /// Calls on_read for the wanted reads of `expr`: outer ones first, a shared one once in each place that
  /// knows other things; of many places, in what is around them all.
  void find(const Expr& expr, const IndexRanges& ranges);

 private:
  bool has_wanted(const Expr& expr);

  IsWanted is_wanted_;
  OnRead on_read_;
  std::optional<NameFilter> names_;
  std::unordered_map<const ExprNode*, bool> has_wanted_;
  std::vector<Expr> alive_;  // what has_wanted_ speaks of
};

}  // namespace tensordsl::ir
