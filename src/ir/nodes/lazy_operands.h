// Operands that an expression may leave unevaluated.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// True if operand `i` is evaluated only if the first one, a scalar, requires it: a side of a select, the
/// right side of && or ||.
inline bool is_lazy_operand(const Expr& expr, std::size_t i) {
  return i > 0 && (*expr)[0].type().lanes == 1 &&
         (expr->kind == ExprKind::Select || expr->kind == ExprKind::And || expr->kind == ExprKind::Or);
}

}  // namespace tensordsl::ir
