#include "lower/lanes.h"

namespace tensordsl::lower {

using namespace ir;

Expr lane_of(const Expr& expr, int lane) {
  if (expr.type().lanes == 1) return expr;
  switch (expr->kind) {
    case ExprKind::Ramp: return lane == 0 ? (*expr)[0] : (*expr)[0] + (*expr)[1] * make_int((*expr)[1].type(), lane);
    case ExprKind::Broadcast: return (*expr)[0];
    case ExprKind::Slice: return lane_of((*expr)[0], static_cast<int>(expr->value) + lane);
    case ExprKind::Concat: {
      int first = 0;
      for (const Expr& part : expr->operands) {
        if (lane < first + part.type().lanes) return lane_of(part, lane - first);
        first += part.type().lanes;
      }
      break;
    }
    case ExprKind::Var: return make_slice(expr, lane, 1);
    case ExprKind::Load:
      // A whole register has a scalar index and cannot be loaded in part.
      if ((*expr)[0].type().lanes == 1) return make_slice(expr, lane, 1);
      return make_load(expr.type().element(), expr->name, {lane_of((*expr)[0], lane)});
    case ExprKind::Cast: return make_cast(expr.type().element(), lane_of((*expr)[0], lane));
    case ExprKind::Intrinsic: {
      std::vector<Expr> operands;
      for (const Expr& e : expr->operands) operands.push_back(lane_of(e, lane));
      return make_intrinsic(expr.type().element(), expr->name, std::move(operands));
    }
    default: break;
  }
  return map_operands(expr, [&](const Expr& e) { return lane_of(e, lane); });
}

}  // namespace tensordsl::lower
