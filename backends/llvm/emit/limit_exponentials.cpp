#include "backends/llvm/emit/limit_exponentials.h"

#include <limits>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::llvm_ir {

using namespace ir;

namespace {

/// A function has `value` below or above `bound`.
struct Limit {
  bool is_below;
  double bound, value;
};

/// Returns the limits of a vector function. Results round to 0 below half of the smallest float, which is
/// 2^-150 = e^-103.97 for 32 bits, and 2^-1075 = e^-745.13 for 64 bits.
std::vector<Limit> limits_of(const Expr& e) {
  if (e->kind != ExprKind::Intrinsic || e.type().lanes == 1) return {};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_double = e.type().bits == 64;
  if (e->name == "exp")
    return {{true, is_double ? -746.0 : -104.0, 0}, {false, is_double ? 710.0 : 89.0, kInfinity}};
  if (e->name == "exp2")
    return {{true, is_double ? -1076.0 : -151.0, 0}, {false, is_double ? 1024.0 : 128.0, kInfinity}};
  if (e->name == "erfc") return {{false, is_double ? 27.3 : 10.1, 0}};
  return {};
}

/// True if a test of x < bound, which chooses something else than the function of x, leaves nothing to
/// `limit`.
bool is_decided(const Limit& limit, const Expr& condition, const Expr& x) {
  if (!limit.is_below || condition->kind != ExprKind::Lt || !same((*condition)[0], x)) return false;
  const Expr& bound = (*condition)[1];
  const Expr& number = bound->kind == ExprKind::Broadcast ? (*bound)[0] : bound;
  return number->kind == ExprKind::FloatImm && number->number >= limit.bound;
}

/// `call`, whose limits are `limits`, with those that `condition`, if there is one, does not decide.
Expr with_limits(const Expr& call, const std::vector<Limit>& limits, const Expr& condition) {
  Expr value = call;
  const Expr x = (*call)[0];
  for (auto limit = limits.rbegin(); limit != limits.rend(); ++limit) {
    if (condition.defined() && is_decided(*limit, condition, x)) continue;
    const Expr bound = make_const(x.type(), limit->bound);
    value = make_select(limit->is_below ? x < bound : bound < x, make_const(x.type(), limit->value), value);
  }
  return value;
}

/// `condition`: the condition of the select whose last operand `e` is, if it is one.
Expr limited(const Expr& e, const Expr& condition) {
  if (e->kind == ExprKind::Select) {
    const Expr test = limited((*e)[0], {});
    return make_select(test, limited((*e)[1], {}), limited((*e)[2], test));
  }
  const Expr result = map_operands(e, [](const Expr& operand) { return limited(operand, {}); });
  const std::vector<Limit> limits = limits_of(e);
  return limits.empty() ? result : with_limits(result, limits, condition);
}

bool has_limits(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || !limits_of(e).empty();
    return !found;
  });
  return found;
}

}  // namespace

Stmt limit_exponentials(const Stmt& stmt) {
  return map_children(
      stmt, [](const Expr& e) { return has_limits(e) ? limited(e, {}) : e; }, limit_exponentials);
}

}  // namespace tensordsl::llvm_ir
