#include "lower/passes/vectors/lanes.h"

#include <unordered_map>

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Extracts one lane of an expression; a shared operand is visited once.
class LaneExtractor {
 public:
  Expr run(const Expr& expr, int lane) {
    if (expr.type().lanes == 1) return expr;
    auto& known = done_[expr.get()];
    if (const auto it = known.find(lane); it != known.end()) return it->second;
    Expr result = extract(expr, lane);
    done_[expr.get()].emplace(lane, result);
    return result;
  }

 private:
  Expr extract(const Expr& expr, int lane) {
    switch (expr->kind) {
      case ExprKind::Ramp:
        return lane == 0 ? (*expr)[0] : (*expr)[0] + (*expr)[1] * make_int((*expr)[1].type(), lane);
      case ExprKind::Broadcast:
        return (*expr)[0];
      case ExprKind::Slice:
        return run((*expr)[0], static_cast<int>(expr->value) + lane);
      case ExprKind::Concat: {
        int first = 0;
        for (const Expr& part : expr->operands) {
          if (lane < first + part.type().lanes) return run(part, lane - first);
          first += part.type().lanes;
        }
        break;
      }
      case ExprKind::Var:
        return make_slice(expr, lane, 1);
      case ExprKind::Load:
        // A whole register has a scalar index and cannot be loaded in part.
        if ((*expr)[0].type().lanes == 1) return make_slice(expr, lane, 1);
        return make_load(expr.type().element(), expr->name, lanes_of(expr->operands, lane));
      case ExprKind::Cast:
        return make_cast(expr.type().element(), run((*expr)[0], lane));
      case ExprKind::Intrinsic:
        return make_intrinsic(expr.type().element(), expr->name, lanes_of(expr->operands, lane));
      default:
        break;
    }
    return map_operands(expr, [&](const Expr& e) { return run(e, lane); });
  }

  std::vector<Expr> lanes_of(const std::vector<Expr>& operands, int lane) {
    std::vector<Expr> lanes;
    for (const Expr& e : operands) lanes.push_back(run(e, lane));
    return lanes;
  }

  std::unordered_map<const ExprNode*, std::unordered_map<int, Expr>> done_;
};

}  // namespace

Expr lane_of(const Expr& expr, int lane) { return LaneExtractor().run(expr, lane); }

}  // namespace tensordsl::lower
