// a && !(b || c) is true   ->   a is true, b is false, c is false
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Decomposes a condition that has the value `truth`. Calls assume(part, value) for parts that all have their
/// values, either(a, b, value) where one of two parts has it, and comparison(truth) if the condition
/// is a comparison itself. Returns false as soon as one of them does, or if the condition is a constant of
/// the other value.
template <typename Assume, typename Either, typename Comparison>
bool take_condition_apart(const Expr& condition, bool truth, const Assume& assume, const Either& either,
                          const Comparison& comparison) {
  const auto operand = [&](std::size_t i) -> const Expr& { return (*condition)[i]; };
  switch (condition->kind) {
    case ExprKind::IntImm:
      return (condition->value != 0) == truth;
    case ExprKind::Not:
      return assume(operand(0), !truth);
    case ExprKind::And:
    case ExprKind::Or:
      if (truth != (condition->kind == ExprKind::And)) return either(operand(0), operand(1), truth);
      return assume(operand(0), truth) && assume(operand(1), truth);
    case ExprKind::Select:
      // select(c, a, false) is c && a.
      if (is_const(operand(2), truth ? 0 : 1)) return assume(operand(0), true) && assume(operand(1), truth);
      if (is_const(operand(1), truth ? 0 : 1)) return assume(operand(0), false) && assume(operand(2), truth);
      return true;
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Eq:
    case ExprKind::Ne:
      return comparison(truth);
    default:
      return true;
  }
}

}  // namespace tensordsl::ir
