// Simplifier: vectors, and casts.
#include <algorithm>

#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

bool is_elementwise(ExprKind kind) {
  return (kind >= ExprKind::Add && kind <= ExprKind::Not) || kind == ExprKind::Select ||
         kind == ExprKind::Cast;
}

/// An operand that is one scalar in every lane, as that scalar; undefined if it is not.
Expr scalar_of(const Expr& operand) {
  if (operand->kind == ExprKind::Broadcast) return (*operand)[0];
  return operand.type().is_vector() ? Expr() : operand;
}

/// True if `to` has every value of `from`.
bool holds_all_of(Type to, Type from) {
  if (to.is_float()) return from.is_float() ? to.bits >= from.bits : to.bits == 32 && from.bits == 8;
  return !from.is_float() && range_of(to.element()).contains(range_of(from.element()));
}

}  // namespace

Expr Simplifier::finish_vector(const Expr& expr) {
  switch (expr->kind) {
    case ExprKind::Ramp:
      return is_const((*expr)[1], 0) ? make_broadcast((*expr)[0], expr->type.lanes) : Expr();
    case ExprKind::Slice:
      return finish_slice(expr);
    case ExprKind::Concat:
      return finish_concat(expr);
    default:
      break;
  }
  if (!expr.type().is_vector() || !is_elementwise(expr->kind)) return Expr();
  std::vector<Expr> scalars;
  for (const Expr& operand : expr->operands) {
    scalars.push_back(scalar_of(operand));
    if (!scalars.back().defined()) return Expr();
  }
  return make_broadcast(finish(with_operands(expr, std::move(scalars))), expr.type().lanes);
}

Expr Simplifier::finish_slice(const Expr& expr) {
  const Expr& vector = (*expr)[0];
  const int first = static_cast<int>(expr->value), lanes = expr.type().lanes;
  switch (vector->kind) {
    case ExprKind::Broadcast:
      return make_broadcast((*vector)[0], lanes);
    case ExprKind::Slice:
      return finish(make_slice((*vector)[0], first + static_cast<int>(vector->value), lanes));
    case ExprKind::Ramp: {
      const Expr &base = (*vector)[0], &stride = (*vector)[1];
      const Expr skipped = build(ExprKind::Mul, stride, make_int(stride.type(), first));
      const Expr start = build(ExprKind::Add, base, skipped);
      return lanes == 1 ? start : make_ramp(start, stride, lanes);
    }
    case ExprKind::Concat: {
      std::vector<Expr> parts;
      int start = 0;
      for (const Expr& part : vector->operands) {
        const int end = start + part.type().lanes;
        const int from = std::max(first, start), to = std::min(first + lanes, end);
        if (from < to) {
          parts.push_back(part.type().is_vector() ? finish(make_slice(part, from - start, to - from)) : part);
        }
        start = end;
      }
      return finish(make_concat(std::move(parts)));
    }
    default:
      return Expr();
  }
}

Expr Simplifier::finish_concat(const Expr& expr) {
  const std::vector<Expr>& parts = expr->operands;
  const Expr first = scalar_of(parts[0]);
  const bool repeats = first.defined() && std::ranges::all_of(parts, [&](const Expr& part) {
                         const Expr scalar = scalar_of(part);
                         return scalar.defined() && same(scalar, first);
                       });
  if (repeats) return make_broadcast(first, expr.type().lanes);

  // Slices of one vector in their order are a slice again.
  const auto slice_of = [](const Expr& e) { return e->kind == ExprKind::Slice ? (*e)[0] : Expr(); };
  const Expr vector = slice_of(parts[0]);
  if (!vector.defined()) return Expr();
  int next = static_cast<int>(parts[0]->value);
  for (const Expr& part : parts) {
    if (!slice_of(part).defined() || !same(slice_of(part), vector) || part->value != next) return Expr();
    next += part.type().lanes;
  }
  return make_slice(vector, static_cast<int>(parts[0]->value), expr.type().lanes);
}

Expr Simplifier::finish_cast(const Expr& expr) {
  const Expr& operand = (*expr)[0];
  // Through a wider type and back.
  if (operand->kind == ExprKind::Cast && (*operand)[0].type() == expr.type() &&
      holds_all_of(operand.type(), expr.type())) {
    return (*operand)[0];
  }
  return expr;
}

}  // namespace tensordsl::ir
