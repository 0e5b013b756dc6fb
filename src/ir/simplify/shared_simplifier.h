// Simplification that remembers: of expressions that have parts in common each part is simplified once.
#pragma once

#include <memory>

#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {

/// simplify() and can_prove() without bounds. Copies share their memo.
class SharedSimplifier {
 public:
  Expr simplify(const Expr& expr) const { return memory_->simplifier.simplify(expr); }
  bool can_prove(const Expr& condition) const { return is_const(simplify(condition), 1); }

 private:
  /// Limits nested branches: facts of a branch end with it, and queries are about terms outside of selects.
  static constexpr int kMaxNestedBranches = 2;
  struct Memory {
    Bounds none;
    Simplifier simplifier{none, kMaxNestedBranches};
  };
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace tensordsl::ir
