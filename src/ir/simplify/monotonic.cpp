#include "ir/simplify/monotonic.h"

namespace tensordsl::ir {

namespace {

/// `grows`: whether it is asked not to become smaller; else not larger.
bool is_monotonic(const Expr& expr, const std::string& variable, bool grows) {
  if (!uses_var(expr, variable)) return true;
  const ExprNode& e = *expr;
  if (e.type != Int(32)) return false;
  switch (e.kind) {
    case ExprKind::Var:
      return grows;
    case ExprKind::Add:
    case ExprKind::Min:
    case ExprKind::Max:
      return is_monotonic(e[0], variable, grows) && is_monotonic(e[1], variable, grows);
    case ExprKind::Sub:
      return is_monotonic(e[0], variable, grows) && is_monotonic(e[1], variable, !grows);
    case ExprKind::Mul:
      for (const std::size_t side : {0, 1}) {
        const std::int64_t* factor = as_int(e[side]);
        if (factor) return is_monotonic(e[1 - side], variable, (*factor >= 0) == grows);
      }
      return false;
    case ExprKind::Div: {
      const std::int64_t* divisor = as_int(e[1]);
      return divisor && *divisor > 0 && is_monotonic(e[0], variable, grows);
    }
    default:
      return false;
  }
}

}  // namespace

bool is_non_decreasing(const Expr& expr, const std::string& variable) {
  return is_monotonic(expr, variable, true);
}

bool is_non_increasing(const Expr& expr, const std::string& variable) {
  return is_monotonic(expr, variable, false);
}

}  // namespace tensordsl::ir
