#include "ir/operations/constant_fold.h"

#include <algorithm>
#include <cmath>

#include "ir/nodes/reinterpret.h"
#include "ir/operations/operations.h"

namespace tensordsl::ir {
namespace {

const ExprNode& scalar(const Expr& constant) {
  return constant->kind == ExprKind::Broadcast ? *(*constant)[0] : *constant;
}

Scalar value_of(const ExprNode& constant) {
  return constant.type.is_float() ? scalar_of(constant.type, constant.number)
                                  : scalar_of(constant.type, constant.value);
}

Expr constant_of(Type type, Scalar value) {
  if (!type.is_float()) return make_int(type, value.i);
  return std::isfinite(value.f) ? make_float(type, value.f) : Expr();
}

bool is_left_alone(ExprKind kind, Type type, Scalar a, Scalar b) {
  if (type.is_float()) {
    const bool is_extremum = kind == ExprKind::Min || kind == ExprKind::Max || kind == ExprKind::MinOrNan ||
                             kind == ExprKind::MaxOrNan;
    return is_extremum && a.f == b.f && std::signbit(a.f) != std::signbit(b.f);
  }
  return type.bits >= 32 && type.is_int() && kind != ExprKind::Div && overflows(kind, type, a.i, b.i);
}

}  // namespace

Expr fold_constants(const Expr& expr) {
  const std::vector<Expr>& operands = expr->operands;
  if (operands.empty() || operands.size() > 2 ||
      (expr->kind == ExprKind::Intrinsic && !is_reinterpret(*expr)))
    return Expr();
  if (!std::all_of(operands.begin(), operands.end(), [](const Expr& e) { return is_const(e); }))
    return Expr();
  const Operation operation = operation_of(*expr);
  if (!operation) return Expr();
  const Type type = operands[0].type().element();
  const Scalar a = value_of(scalar(operands.front())), b = value_of(scalar(operands.back()));
  return is_left_alone(expr->kind, type, a, b) ? Expr() : constant_of(expr.type(), operation(a, b, {}));
}

}  // namespace tensordsl::ir
