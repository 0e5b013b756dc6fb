#include "generator/host_expression.h"

#include <fmt/format.h>

#include "ir/nodes/expr_node.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::generator {

using ir::ExprKind;

namespace {

class HostPrinter {
 public:
  HostPrinter(const Expr& whole, const std::function<std::string(const std::string&)>& variable)
      : whole_(whole), variable_(variable) {}

  std::string print(const Expr& e) const {
    switch (e->kind) {
      case ExprKind::IntImm:
        return literal(e->value);
      case ExprKind::Var:
        if (e->type.is_float()) break;
        return variable_(e->name);
      case ExprKind::Add:
        return wrapped(e, call("detail::plus", e));
      case ExprKind::Sub:
        return wrapped(e, call("detail::minus", e));
      case ExprKind::Mul:
        return wrapped(e, call("detail::times", e));
      case ExprKind::Div:
        return call("detail::floor_div", e);
      case ExprKind::Mod:
        return call("detail::floor_mod", e);
      case ExprKind::Min:
        return call("std::min<std::int64_t>", e);
      case ExprKind::Max:
        return call("std::max<std::int64_t>", e);
      case ExprKind::Eq:
        return infix(e, "==");
      case ExprKind::Ne:
        return infix(e, "!=");
      case ExprKind::Lt:
        return infix(e, "<");
      case ExprKind::Le:
        return infix(e, "<=");
      case ExprKind::And:
        return infix(e, "&&");
      case ExprKind::Or:
        return infix(e, "||");
      case ExprKind::Not:
        return fmt::format("!{}", print((*e)[0]));
      case ExprKind::Select:
        return fmt::format("({} ? {} : {})", print((*e)[0]), print((*e)[1]), print((*e)[2]));
      case ExprKind::Intrinsic:
        if (e->name == "bitwise_and") return infix(e, "&");
        if (e->name == "bitwise_or") return infix(e, "|");
        if (e->name == "bitwise_xor") return infix(e, "^");
        break;
      case ExprKind::Cast:
        if (e->type.is_integer() && !(*e)[0].type().is_float()) return cast(e);
        break;
      default:
        break;
    }
    refuse();
  }

 private:
  /// Prints a literal. INT64_MIN is printed by name, because a minus applies to a literal that overflows.
  static std::string literal(std::int64_t value) {
    if (value == INT64_MIN) return "INT64_MIN";
    return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value);
  }

  std::string infix(const Expr& e, const char* symbol) const {
    return fmt::format("({} {} {})", print((*e)[0]), symbol, print((*e)[1]));
  }

  std::string call(const char* function, const Expr& e) const {
    return fmt::format("{}({}, {})", function, print((*e)[0]), print((*e)[1]));
  }

  std::string cast(const Expr& e) const {
    const std::string value = print((*e)[0]);
    return (*e)[0].type().is_bool() ? fmt::format("({} ? 1 : 0)", value) : wrapped(e, value);
  }

  /// Wraps a value to its type like kernels do. i32 and i64 keep the exact value, because kernels promise
  /// that it fits. So does u64: a value that does not fit a signed 64-bit integer is refused when it is
  /// computed.
  static std::string wrapped(const Expr& e, std::string value) {
    const Type type = e->type;
    if (type.bits == 64 || type == Int(32) || type.is_bool()) return value;
    return fmt::format("static_cast<std::int64_t>(static_cast<std::{}int{}_t>({}))",
                       type.is_uint() ? "u" : "", type.bits, value);
  }

  [[noreturn]] void refuse() const {
    std::string why = "it must be a sum, product, quotient, minimum or select of integers", remedy;
    ir::visit(whole_, [&](const Expr& e) {
      if (e->kind == ExprKind::Var && e->type.is_float() && remedy.empty()) {
        why = fmt::format("sizes must be integers, and the Param \"{}\" is {}", e->name, to_string(e->type));
        remedy = fmt::format("make \"{}\" an integer, pass the size as another Param, or ", e->name);
      }
      return true;
    });
    throw Error(fmt::format("the launcher cannot compute \"{}\": {}; {}drop the header from -e",
                            ir::print(whole_), why, remedy));
  }

  const Expr& whole_;
  const std::function<std::string(const std::string&)>& variable_;
};

}  // namespace

std::string host_expression(const Expr& expression,
                            const std::function<std::string(const std::string&)>& variable) {
  return HostPrinter(expression, variable).print(expression);
}

}  // namespace tensordsl::generator
