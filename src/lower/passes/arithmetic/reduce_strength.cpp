#include "lower/passes/arithmetic/reduce_strength.h"

#include <bit>
#include <unordered_map>

#include "ir/nodes/integer_operations.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Expr truncating_div(const Expr& a, const Expr& b) {
  return make_integer_operation(IntegerOperationKind::TruncatingDiv, a, b);
}
Expr truncating_mod(const Expr& a, const Expr& b) {
  return make_integer_operation(IntegerOperationKind::TruncatingMod, a, b);
}
Expr shift_right(const Expr& a, int by) {
  return make_integer_operation(IntegerOperationKind::ShiftRight, a, make_int(a.type(), by));
}
Expr bitwise_and(const Expr& a, const Expr& b) {
  return make_integer_operation(IntegerOperationKind::BitwiseAnd, a, b);
}

bool is_division(const Expr& e) {
  return (e->kind == ExprKind::Div || e->kind == ExprKind::Mod) && e.type().is_integer();
}

class StrengthReduction {
 public:
  explicit StrengthReduction(const Bounds& bounds) : simplifier_(bounds) {}

  Stmt run(const Stmt& s) {
    const auto on_expr = [this](const Expr& e) { return reduced(e); };
    const auto on_stmt = [this](const Stmt& child) { return run(child); };
    switch (s->kind) {
      case StmtKind::For:
        return run_inside(s, [&] { simplifier_.enter_loop(s->name, s->min(), s->extent()); });
      case StmtKind::Let:
        return run_inside(s, [&] { simplifier_.define(s->name, s->value()); });
      case StmtKind::If:
        if (s->body.size() > 1) break;
        return run_inside(s, [&] { simplifier_.assume_stable(s->condition(), true); });
      default:
        break;
    }
    return map_children(s, on_expr, on_stmt);
  }

 private:
  /// Rewrites a body with the facts that `learn` adds.
  template <typename F>
  Stmt run_inside(const Stmt& s, F learn) {
    return map_children(
        s, [this](const Expr& e) { return reduced(e); },
        [&](const Stmt& body) {
          const Simplifier::Scope scope(simplifier_);
          learn();
          return run(body);
        });
  }

  /// Bounds are taken of the original operands: the simplifier cannot analyze the rewritten ones.
  Expr reduced(const Expr& expr) {
    std::unordered_map<const ExprNode*, Expr> done;
    return reduced(expr, done);
  }

  Expr reduced(const Expr& expr, std::unordered_map<const ExprNode*, Expr>& done) {
    if (expr->operands.empty()) return expr;
    if (const auto known = done.find(expr.get()); known != done.end()) return known->second;
    Expr result = map_operands(expr, [&](const Expr& e) { return reduced(e, done); });
    if (is_division(expr)) result = reduced_division(result, expr);
    done.emplace(expr.get(), result);
    return result;
  }

  /// Returns the reduced division. `original` is `expr` before its operands were rewritten.
  Expr reduced_division(const Expr& expr, const Expr& original) {
    const Expr &a = (*expr)[0], &b = (*expr)[1];
    const bool is_div = expr->kind == ExprKind::Div;
    const std::int64_t* by = as_int((*original)[1]);
    if (by != nullptr && *by > 0 && std::has_single_bit(static_cast<std::uint64_t>(*by))) {
      return is_div ? shift_right(a, std::countr_zero(static_cast<std::uint64_t>(*by)))
                    : bitwise_and(a, make_int(a.type(), *by - 1));
    }
    if (a.type().is_uint() && by != nullptr && *by != 0)
      return is_div ? truncating_div(a, b) : truncating_mod(a, b);
    if (simplifier_.bounds((*original)[1]).low < 1) return expr;
    if (simplifier_.proves_not_negative((*original)[0])) {
      return is_div ? truncating_div(a, b) : truncating_mod(a, b);
    }
    if (by == nullptr) return expr;
    const Expr remainder = truncating_mod(a, b);
    const Expr sign = shift_right(remainder, a.type().bits - 1);  // -1 or 0
    return is_div ? truncating_div(a, b) + sign : remainder + bitwise_and(sign, b);
  }

  Simplifier simplifier_;
};

}  // namespace

Stmt reduce_strength(const Stmt& stmt, const Bounds& bounds) { return StrengthReduction(bounds).run(stmt); }

}  // namespace tensordsl::lower
