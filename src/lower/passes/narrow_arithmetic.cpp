#include "lower/passes/narrow_arithmetic.h"

#include <cmath>

#include "ir/sub_groups.h"
#include "tensordsl/half.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr double kLargestHalf = 65504;

bool is_half(const Expr& e) { return e.type() == Float(16); }

/// The f16 that an f32 is the value of; undefined if it is not.
Expr half_of(const Expr& e) {
  if (e->kind == ExprKind::Cast && is_half((*e)[0])) return (*e)[0];
  const bool fits =
      e->kind == ExprKind::FloatImm && (std::isinf(e->number) || std::abs(e->number) <= kLargestHalf);
  return fits ? make_float(Float(16), half_to_float(float_to_half(static_cast<float>(e->number)))) : Expr();
}

bool is_arithmetic(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Select:
    case ExprKind::Intrinsic:
      return true;
    default:
      return false;
  }
}

Expr narrowed(const Expr& e) {
  if (e->kind == ExprKind::Cast && is_half(e)) {
    const Expr half = half_of((*e)[0]);
    return half.defined() ? half : e;
  }
  // Sub-groups take no halves.
  if (e.type() != Float(32) || !is_arithmetic(e->kind) || is_sub_group_operation(*e)) return e;
  std::vector<Expr> operands;
  bool has_value = false;
  for (const Expr& operand : e->operands) {
    const bool is_condition = e->kind == ExprKind::Select && operands.empty();
    const Expr half = is_condition ? operand : half_of(operand);
    if (!half.defined()) return e;
    has_value = has_value || (!is_condition && !is_const(operand));
    operands.push_back(half);
  }
  if (!has_value) return e;
  const Expr half = e->kind == ExprKind::Select      ? make_select(operands[0], operands[1], operands[2])
                    : e->kind == ExprKind::Intrinsic ? make_intrinsic(Float(16), e->name, operands)
                                                     : make_binary(e->kind, operands[0], operands[1]);
  return make_cast(Float(32), half);
}

}  // namespace

Stmt narrow_arithmetic(const Stmt& stmt) {
  return map_children(
      stmt, [](const Expr& expr) { return rewrite(expr, narrowed); },
      [](const Stmt& s) { return narrow_arithmetic(s); });
}

}  // namespace tensordsl::lower
