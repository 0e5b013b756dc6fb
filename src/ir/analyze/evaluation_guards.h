// Under which conditions an operand is evaluated: select(c, a, b) evaluates a where c is true.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Conditions that hold together, each inside another one: a tree, whose root always holds.
class EvaluationGuards {
 public:
  using Guard = std::size_t;
  static constexpr Guard kAlways = 0;
  /// Guard of an evaluation under conditions that would be too long to write.
  static constexpr Guard kUnknown = static_cast<Guard>(-1);

  EvaluationGuards() : nodes_(1) {}

  /// Returns the guard inside `outer` where `condition` has the value `truth`.
  Guard inside(Guard outer, const Expr& condition, bool truth);
  /// Returns the guard of operand `i` of `expr`, which is evaluated under `outer`.
  Guard of_operand(Guard outer, const Expr& expr, std::size_t i);
  /// Returns the smallest set of guards that covers `guards`: guards inside others are left out, and the two
  /// sides of one test become the guard around it.
  std::set<Guard> fewest(const std::vector<Guard>& guards) const;
  /// Returns the guard that holds if at least one of `guards`, which is not empty, does; kUnknown if they are
  /// many.
  Guard any_of(const std::vector<Guard>& guards);

  /// Returns the innermost guard around all of `guards`.
  Guard around_all(const std::set<Guard>& guards) const;

  Guard outer(Guard guard) const { return nodes_[guard].outer; }
  /// Returns the condition that holds besides outer(guard); undefined for a guard that is a union of others.
  const Expr& condition(Guard guard) const { return nodes_[guard].condition; }
  /// Returns the guards of which one must hold; empty if there are none.
  const std::set<Guard>& alternatives(Guard guard) const { return nodes_[guard].alternatives; }

 private:
  struct Node {
    Guard outer = kAlways;
    Expr condition;                    // true inside
    const ExprNode* tested = nullptr;  // the condition of a select, say
    bool truth = true;                 // value of the condition
    std::size_t depth = 0;
    std::set<Guard> alternatives;
  };

  Guard add(Guard outer, const Expr& condition, const ExprNode* tested, bool truth);
  bool is_inside(Guard inner, Guard outer) const;

  std::vector<Node> nodes_;
  std::map<std::tuple<Guard, const ExprNode*, bool>, Guard> known_;
  std::map<std::set<Guard>, Guard> known_any_;
};

}  // namespace tensordsl::ir
