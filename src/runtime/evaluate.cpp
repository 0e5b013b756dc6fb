#include "runtime/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/constant_fold.h"
#include "ir/expr_node.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

class Evaluator {
 public:
  Evaluator(const Expr& whole, const ParamValues& values) : whole_(whole), values_(values) {}

  std::int64_t value_of(const Expr& expr) const {
    using ir::ExprKind;
    const auto operand = [&](std::size_t i) { return value_of((*expr)[i]); };
    switch (expr->kind) {
      case ExprKind::IntImm:
        return expr->value;
      case ExprKind::Var:
        return variable(expr->name);
      case ExprKind::Cast:
        if (!expr->type.is_integer()) break;
        return operand(0);
      case ExprKind::Not:
        return operand(0) == 0;
      case ExprKind::And:
        return operand(0) != 0 && operand(1) != 0;
      case ExprKind::Or:
        return operand(0) != 0 || operand(1) != 0;
      case ExprKind::Select:
        return operand(0) != 0 ? operand(1) : operand(2);
      case ExprKind::Add:
      case ExprKind::Sub:
      case ExprKind::Mul:
      case ExprKind::Div:
      case ExprKind::Mod:
      case ExprKind::Min:
      case ExprKind::Max:
      case ExprKind::Eq:
      case ExprKind::Ne:
      case ExprKind::Lt:
      case ExprKind::Le:
        return binary(expr->kind, operand(0), operand(1));
      default:
        break;
    }
    throw Error(fmt::format("\"{}\" is not an expression of integers", text()));
  }

 private:
  std::int64_t variable(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw Error(fmt::format("\"{}\": {} has no value", text(), name));
    if (found->second.is_integer()) return found->second.integer();
    throw Error(fmt::format("\"{}\": the Param \"{}\" must be an integer here, but {} is given for it",
                            text(), name, found->second.to_string()));
  }

  std::int64_t binary(ir::ExprKind kind, std::int64_t a, std::int64_t b) const {
    using ir::ExprKind;
    std::int64_t result = 0;
    bool overflow = false;
    switch (kind) {
      case ExprKind::Add:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
      case ExprKind::Sub:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
      case ExprKind::Mul:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
      case ExprKind::Div:
        overflow = a == INT64_MIN && b == -1;
        result = ir::floor_div(a, b);
        break;
      case ExprKind::Mod:
        result = ir::floor_mod(a, b);
        break;
      case ExprKind::Min:
        result = std::min(a, b);
        break;
      case ExprKind::Max:
        result = std::max(a, b);
        break;
      case ExprKind::Eq:
        result = a == b;
        break;
      case ExprKind::Ne:
        result = a != b;
        break;
      case ExprKind::Lt:
        result = a < b;
        break;
      default:
        result = a <= b;
        break;
    }
    if (overflow) throw Error(fmt::format("\"{}\" overflows 64 bits", text()));
    return result;
  }

  std::string text() const { return ir::print(whole_); }

  const Expr& whole_;
  const ParamValues& values_;
};

}  // namespace

std::int64_t evaluate(std::string_view expression, const ParamValues& values) {
  return evaluate(ir::parse_expr(expression), values);
}

std::int64_t evaluate(const Expr& expression, const ParamValues& values) {
  return Evaluator(expression, values).value_of(expression);
}

}  // namespace tensordsl
