#include "backends/llvm/emit/guard_math.h"

#include <unordered_map>
#include <vector>

#include "backends/llvm/emit/math_function.h"

namespace tensordsl::llvm_ir {

using namespace ir;

namespace {

bool is_math(const Expr& e) { return e->kind == ExprKind::Intrinsic && is_math_function(e->name); }

bool has_math(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || is_math(e);
    return !found;
  });
  return found;
}

/// Each function has a value there, and takes no detour.
double easy_operand(const std::string& function) { return function == "acosh" ? 1.5 : 0.5; }

/// The side of a select that is taken where `condition` is `taken`.
class Side {
 public:
  Side(Expr condition, bool taken) : condition_(std::move(condition)), taken_(taken) {}

  Expr guarded(const Expr& e) {
    // Each lane of an operand with as many lanes belongs to one lane of the result. Only floats are guarded:
    // integer divisions and loads keep their operands.
    if (!e.type().is_float() || e.type().lanes != condition_.type().lanes) return e;
    if (const auto done = done_.find(e.get()); done != done_.end()) return done->second;
    const Expr result = is_math(e) ? with_easy_operands(e)
                                   : map_operands(e, [&](const Expr& operand) { return guarded(operand); });
    done_.emplace(e.get(), result);
    return result;
  }

 private:
  Expr with_easy_operands(const Expr& call) {
    const Expr easy = make_const(call.type(), easy_operand(call->name));
    return map_operands(call, [&](const Expr& operand) {
      const Expr x = guarded(operand);
      return taken_ ? make_select(condition_, x, easy) : make_select(condition_, easy, x);
    });
  }

  Expr condition_;
  bool taken_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

Expr guard(const Expr& expr) {
  if (!has_math(expr)) return expr;
  return rewrite(expr, [](const Expr& e) {
    if (e->kind != ExprKind::Select || (*e)[0].type().lanes == 1) return e;
    const Expr &condition = (*e)[0], &yes = (*e)[1], &no = (*e)[2];
    return with_operands(e,
                         {condition, Side(condition, true).guarded(yes), Side(condition, false).guarded(no)});
  });
}

}  // namespace

Stmt guard_math(const Stmt& stmt) { return map_children(stmt, guard, guard_math); }

}  // namespace tensordsl::llvm_ir
