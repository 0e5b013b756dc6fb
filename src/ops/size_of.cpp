#include "ops/size_of.h"

#include "ir/nodes/expr_node.h"

namespace tensordsl::ops {

using ir::ExprKind;

std::optional<Size> size_of(const Expr& expr, const std::function<Size(const std::string& name)>& value_of) {
  return size_of(expr, value_of, [](const Expr&) { return std::optional<Size>(); });
}

std::optional<Size> size_of(const Expr& expr, const std::function<Size(const std::string& name)>& value_of,
                            const std::function<std::optional<Size>(const Expr& extremum)>& replaced) {
  const ir::ExprNode& e = *expr;
  if (e.type.is_float() || e.type.lanes != 1) return std::nullopt;
  if (e.kind == ExprKind::IntImm) return e.value;
  if (e.kind == ExprKind::Var) return value_of(e.name);
  if (e.operands.size() != 2) return std::nullopt;
  if (e.kind == ExprKind::Min || e.kind == ExprKind::Max) {
    if (auto known = replaced(expr)) return known;
  }
  const auto a = size_of(e[0], value_of, replaced), b = size_of(e[1], value_of, replaced);
  if (!a || !b) return std::nullopt;
  switch (e.kind) {
    case ExprKind::Add:
      return *a + *b;
    case ExprKind::Sub:
      return *a - *b;
    case ExprKind::Mul:
      return *a * *b;
    case ExprKind::Div:
      return quotient(*a, *b);
    case ExprKind::Min:
      return min(*a, *b);
    case ExprKind::Max:
      return max(*a, *b);
    default:
      return std::nullopt;
  }
}

}  // namespace tensordsl::ops
