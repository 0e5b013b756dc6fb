#include "lower/passes/form_multiply_adds.h"

#include <unordered_map>

namespace tensordsl::lower {

using namespace ir;

namespace {

class MultiplyAdds {
 public:
  Expr run(const Expr& expr) {
    if (expr->operands.empty() || !holds_float(expr)) return expr;
    if (const auto known = done_.find(expr.get()); known != done_.end()) return known->second;
    const Expr e = map_operands(expr, [this](const Expr& operand) { return run(operand); });
    Expr result = e;
    if (e->kind == ExprKind::Add && e.type().is_float()) {
      const Expr& a = (*e)[0];
      const Expr& b = (*e)[1];
      if (b->kind == ExprKind::Mul) {
        result = make_intrinsic(e.type().element(), "mad", {(*b)[0], (*b)[1], a});
      } else if (a->kind == ExprKind::Mul) {
        result = make_intrinsic(e.type().element(), "mad", {(*a)[0], (*a)[1], b});
      }
    }
    done_.emplace(expr.get(), result);
    return result;
  }

 private:
  /// Addresses are integers all the way down, and there is nothing for this pass in them.
  static bool holds_float(const Expr& e) {
    return e.type().is_float() || e.type().is_bool() || e->kind == ExprKind::Cast;
  }

  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace

Stmt form_multiply_adds(const Stmt& stmt) {
  MultiplyAdds pass;
  return map_children(
      stmt, [&](const Expr& e) { return pass.run(e); }, form_multiply_adds);
}

}  // namespace tensordsl::lower
