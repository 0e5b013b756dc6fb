// Random conditions and indices, for laws of ranges.
#pragma once

#include <random>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Makes conditions and indices over x, y, n and elements that are read at one of them.
class RandomExprs {
 public:
  explicit RandomExprs(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Expr index(int depth) {
    if (depth == 0) return below(6) == 0 ? Expr(below(9) - 3) : leaf();
    const Expr a = index(depth - 1);
    switch (below(12)) {
      case 0:
        return a / (below(3) + 2);
      case 1:
        return a % (below(4) + 2);
      case 2:
        return min(a, index(depth - 1));
      case 3:
        return max(a, index(depth - 1));
      case 4:
        return a * (below(7) - 3);
      case 5:
        return below(3) == 0 ? a * index(depth - 1) : a;
      case 6:
        return select(condition(0), a, index(depth - 1));
      case 7:
        return a - index(depth - 1);
      default:
        return a + index(depth - 1) + (below(7) - 3);
    }
  }

  Expr condition(int depth) {
    if (depth > 0) {
      const Expr a = condition(depth - 1);
      if (below(8) == 0) return !a;
      return below(4) == 0 ? a || condition(depth - 1) : a && condition(depth - 1);
    }
    const Expr a = index(below(3)), b = index(below(2));
    switch (below(5)) {
      case 0:
        return a == b;
      case 1:
        return a != b;
      case 2:
        return a < b;
      default:
        return a <= b;
    }
  }

 private:
  Expr leaf() {
    const int i = below(8);
    const Expr variable = make_var(i < 3 ? "x" : i < 6 ? "y" : "n");
    return below(5) == 0 ? make_load(Int(32), "in", {variable}) : variable;
  }

  std::mt19937 random_;
};

}  // namespace tensordsl::ir
