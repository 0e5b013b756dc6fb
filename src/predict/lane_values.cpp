#include "predict/lane_values.h"

#include "ir/operations/operations.h"

namespace tensordsl::predict {

using ir::ExprKind;

namespace {

/// The language has no such quotient, and devices define none.
bool divides_by_zero(const ir::ExprNode& node, std::int64_t divisor) {
  return divisor == 0 && (node.name == "truncating_div" || node.name == "truncating_mod");
}

}  // namespace

std::optional<Lanes> LaneValues::evaluate(const Expr& expr) const {
  if (expr.type().is_float()) return std::nullopt;
  switch (expr->kind) {
    case ExprKind::IntImm:
      return Lanes(lanes_, expr->value);
    case ExprKind::Var: {
      const auto found = names_.find(expr->name);
      return found == names_.end() ? std::nullopt : found->second;
    }
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::Cast:
      return evaluate((*expr)[0]);
    default:
      return of_operation(*expr);
  }
}

std::optional<Lanes> LaneValues::of_operation(const ir::ExprNode& node) const {
  std::vector<Lanes> operands;
  for (const Expr& operand : node.operands) {
    auto value = evaluate(operand);
    if (!value) return std::nullopt;
    operands.push_back(std::move(*value));
  }
  if (node.kind == ExprKind::Select) {
    Lanes result(lanes_);
    for (std::size_t i = 0; i < lanes_; ++i) result[i] = operands[operands[0][i] != 0 ? 1 : 2][i];
    return result;
  }
  const ir::Operation operation = ir::operation_of(node);
  if (!operation || operands.empty() || operands.size() > 3) return std::nullopt;
  Lanes result(lanes_);
  for (std::size_t i = 0; i < lanes_; ++i) {
    Scalar values[3] = {};
    for (std::size_t o = 0; o < operands.size(); ++o) values[o] = {.i = operands[o][i]};
    if (divides_by_zero(node, values[1].i)) return std::nullopt;
    result[i] = operation(values[0], values[1], values[2]).i;
  }
  return result;
}

}  // namespace tensordsl::predict
