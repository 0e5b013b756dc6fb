#include "lower/passes/narrow_arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "ir/sub_groups.h"
#include "tensordsl/half.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr double kLargestHalf = 65504;

bool is_half(const Expr& e) { return e.type() == Float(16); }

/// Operations that give an f16 of every f16, so that it does not matter where they are done.
bool is_exact(const Expr& e) {
  constexpr std::array<std::string_view, 4> kExactFunctions{"abs", "ceil", "floor", "round"};
  switch (e->kind) {
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Select:
      return true;
    case ExprKind::Sub:
      return is_const((*e)[0], 0);  // a negation
    case ExprKind::Intrinsic:
      return std::find(kExactFunctions.begin(), kExactFunctions.end(), e->name) != kExactFunctions.end();
    default:
      return false;
  }
}

bool is_arithmetic(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Select:
    case ExprKind::Intrinsic:
      return true;
    default:
      return false;
  }
}

class Narrower {
 public:
  explicit Narrower(bool half_arithmetic) : half_arithmetic_(half_arithmetic) {}

  Stmt run(const Stmt& stmt) const {
    return map_children(
        stmt, [&](const Expr& expr) { return rewrite(expr, [&](const Expr& e) { return narrowed(e); }); },
        [&](const Stmt& s) { return run(s); });
  }

 private:
  /// The f16 that an f32 is the value of, or that a constant may be rounded to; undefined if there is none.
  Expr half_of(const Expr& e) const {
    if (e->kind == ExprKind::Cast && is_half((*e)[0])) return (*e)[0];
    const bool is_small_integer = e->kind == ExprKind::Cast && (*e)[0].type().bits <= 8;
    if (is_small_integer) return make_cast(Float(16), (*e)[0]);
    if (e->kind != ExprKind::FloatImm) return Expr();
    const double rounded = half_to_float(float_to_half(static_cast<float>(e->number)));
    const bool fits = std::isinf(e->number) || std::abs(e->number) <= kLargestHalf;
    return rounded == e->number || (half_arithmetic_ && fits) ? make_float(Float(16), rounded) : Expr();
  }

  Expr narrowed(const Expr& e) const {
    if (e->kind == ExprKind::Cast && is_half(e)) {
      const Expr half = half_of((*e)[0]);
      return half.defined() ? half : e;
    }
    // Sub-groups take no halves.
    const bool narrows = half_arithmetic_ ? is_arithmetic(e->kind) : is_exact(e);
    if (e.type() != Float(32) || !narrows || is_sub_group_operation(*e)) return e;
    std::vector<Expr> operands;
    bool has_value = false;
    for (const Expr& operand : e->operands) {
      const bool is_condition = e->kind == ExprKind::Select && operands.empty();
      const Expr half = is_condition ? operand : half_of(operand);
      if (!half.defined()) return e;
      has_value = has_value || (!is_condition && !is_const(operand));
      operands.push_back(half);
    }
    if (!has_value) return e;
    const Expr half = e->kind == ExprKind::Select      ? make_select(operands[0], operands[1], operands[2])
                      : e->kind == ExprKind::Intrinsic ? make_intrinsic(Float(16), e->name, operands)
                                                       : make_binary(e->kind, operands[0], operands[1]);
    return make_cast(Float(32), half);
  }

  bool half_arithmetic_;
};

}  // namespace

Stmt narrow_arithmetic(const Stmt& stmt, bool half_arithmetic) { return Narrower(half_arithmetic).run(stmt); }

}  // namespace tensordsl::lower
