#include "runtime/evaluate.h"

#include <fmt/format.h>

#include "ir/expr_node.h"
#include "ir/operations.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

class ExprEvaluator {
 public:
  ExprEvaluator(const Expr& whole, const ParamValues& values) : whole_(whole), values_(values) {}

  std::int64_t value_of(const Expr& expr) const {
    using ir::ExprKind;
    const auto operand = [&](std::size_t i) { return value_of((*expr)[i]); };
    switch (expr->kind) {
      case ExprKind::IntImm:
        return expr->value;
      case ExprKind::Var:
        return variable(expr->name);
      case ExprKind::Cast:
        if (!expr->type.is_integer() || (*expr)[0].type().is_float()) break;
        if (!wraps(expr->type)) return operand(0);
        return ir::find_cast(expr->type, (*expr)[0].type())({.i = operand(0)}, {}, {}).i;
      case ExprKind::Not:
        return operand(0) == 0;
      case ExprKind::And:
        return operand(0) != 0 && operand(1) != 0;
      case ExprKind::Or:
        return operand(0) != 0 || operand(1) != 0;
      case ExprKind::Select:
        return operand(0) != 0 ? operand(1) : operand(2);
      default:
        if (expr->operands.empty() || (*expr)[0].type().is_float() || expr->type.is_float()) break;
        if (ir::find_operator(expr->kind, Int(64)) && !wraps((*expr)[0].type()))
          return binary(expr->kind, operand(0), operand(1));
        if (const ir::Operation operation = ir::operation_of(*expr)) {
          Scalar operands[3] = {};
          for (std::size_t i = 0; i < expr->operands.size(); ++i) operands[i] = {.i = operand(i)};
          return operation(operands[0], operands[1], operands[2]).i;
        }
        break;
    }
    throw Error(fmt::format("\"{}\" is not an expression of integers", text()));
  }

 private:
  /// As kernels compute it. Of i32 and i64 the exact value is asked for.
  static bool wraps(Type type) { return type.is_uint() || type.bits < 32; }

  std::int64_t variable(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw Error(fmt::format("\"{}\": {} has no value", text(), name));
    if (found->second.is_integer()) return found->second.integer();
    throw Error(fmt::format("\"{}\": the Param \"{}\" must be an integer here, but {} is given for it",
                            text(), name, found->second.to_string()));
  }

  std::int64_t binary(ir::ExprKind kind, std::int64_t a, std::int64_t b) const {
    if (ir::overflows(kind, Int(64), a, b)) throw Error(fmt::format("\"{}\" overflows 64 bits", text()));
    return ir::find_operator(kind, Int(64))({.i = a}, {.i = b}, {}).i;
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
  return ExprEvaluator(expression, values).value_of(expression);
}

bool has_values(const Expr& expression, const ParamValues& values) {
  bool result = true;
  ir::visit(expression, [&](const Expr& e) {
    result = result && (e->kind != ir::ExprKind::Var || values.contains(e->name));
    return result;
  });
  return result;
}

}  // namespace tensordsl
