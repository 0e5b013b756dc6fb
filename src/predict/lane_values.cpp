#include "predict/lane_values.h"

#include <algorithm>

#include "ir/integer_operations.h"

namespace tensordsl::predict {

using ir::ExprKind;

namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a - floor_div(a, b) * b; }

/// Of what the hardware has.
std::int64_t result_of(ir::IntegerOperationKind kind, std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kBits = 63;
  using enum ir::IntegerOperationKind;
  switch (kind) {
    case TruncatingDiv:
      return b == 0 ? 0 : a / b;
    case TruncatingMod:
      return b == 0 ? 0 : a % b;
    case ShiftLeft:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << (b & kBits));
    case ShiftRight:
      return a >> (b & kBits);
    case BitwiseAnd:
      return a & b;
    case BitwiseOr:
      return a | b;
    case BitwiseXor:
      return a ^ b;
  }
  return 0;
}

std::optional<std::int64_t> result_of(ExprKind kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case ExprKind::Add:
      return a + b;
    case ExprKind::Sub:
      return a - b;
    case ExprKind::Mul:
      return a * b;
    case ExprKind::Div:
      return floor_div(a, b);
    case ExprKind::Mod:
      return floor_mod(a, b);
    case ExprKind::Min:
      return std::min(a, b);
    case ExprKind::Max:
      return std::max(a, b);
    case ExprKind::Eq:
      return a == b;
    case ExprKind::Ne:
      return a != b;
    case ExprKind::Lt:
      return a < b;
    case ExprKind::Le:
      return a <= b;
    case ExprKind::And:
      return a != 0 && b != 0;
    case ExprKind::Or:
      return a != 0 || b != 0;
    default:
      return std::nullopt;
  }
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
  Lanes result(lanes_);
  for (std::size_t i = 0; i < lanes_; ++i) {
    if (node.kind == ExprKind::Not) {
      result[i] = operands[0][i] == 0;
    } else if (node.kind == ExprKind::Select) {
      result[i] = operands[0][i] != 0 ? operands[1][i] : operands[2][i];
    } else if (operands.size() == 2) {
      const auto* operation =
          node.kind == ExprKind::Intrinsic ? ir::find_integer_operation(node.name) : nullptr;
      const std::optional<std::int64_t> value =
          operation ? result_of(operation->kind, operands[0][i], operands[1][i])
                    : result_of(node.kind, operands[0][i], operands[1][i]);
      if (!value) return std::nullopt;
      result[i] = *value;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace tensordsl::predict
