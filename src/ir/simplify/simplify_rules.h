// The algebraic rules of the simplifier, as data. tests/ir/simplify_rules_test.cpp checks each by brute
// force.
#pragma once

#include <functional>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Wherever `pattern` matches and `condition` holds, `replacement` is equal.
///
/// In a pattern the Vars x, y, z stand for any integer expression, c0, c1, c2 for integer constants, p, q for
/// any Bool expression, f for any float expression. A Var that stands twice must match the same expression
/// twice. Operands of commutative operators match in either order, and a pattern of scalars matches vectors
/// as well.
struct Rule {
  enum class Arithmetic {
    Wraps,    // holds for every integer type, wrap-around included
    NoWraps,  // holds for i32 that does not overflow: indices, not elements of memory
  };
  Arithmetic arithmetic;
  Expr pattern;
  Expr replacement;
  Expr condition;  // over constants; undefined if there is none
};

const std::vector<Rule>& simplify_rules();

/// Builds a node and simplifies it, given simplified operands.
using Builder = std::function<Expr(const Expr&)>;

/// Returns the replacement by the first rule that matches `expr` at its root, with each node made by `build`;
/// undefined if none matches.
Expr apply_rules(const Expr& expr, const Builder& build);

}  // namespace tensordsl::ir
