#include "lower/passes/arithmetic/narrow_arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ir/nodes/sub_groups.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr double kLargestHalf = 65504;

bool is_half(const Expr& e) { return e.type() == Float(16); }

/// Operations that give an f16 of every f16.
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

/// Returns true for operations that in_half() makes.
bool has_half_form(ExprKind kind) {
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

/// Returns the operation on f16 `operands`.
Expr in_half(const Expr& e, const std::vector<Expr>& operands) {
  switch (e->kind) {
    case ExprKind::Select:
      return make_select(operands[0], operands[1], operands[2]);
    case ExprKind::Intrinsic:
      return make_intrinsic(Float(16), e->name, operands);
    default:
      return make_binary(e->kind, operands[0], operands[1]);
  }
}

class Narrower {
 public:
  explicit Narrower(bool half_arithmetic) : half_arithmetic_(half_arithmetic) {}

  Stmt run(const Stmt& stmt) {
    return map_children(
        stmt, [&](const Expr& expr) { return rewrite(expr, [&](const Expr& e) { return narrowed(e); }); },
        [&](const Stmt& s) { return run(s); });
  }

 private:
  Expr narrowed(const Expr& e) {
    if (e->kind == ExprKind::Cast && is_half(e)) {
      const Expr half = half_arithmetic_ ? rounded_half((*e)[0]) : exact_half((*e)[0]);
      return half.defined() ? half : e;
    }
    return half_arithmetic_ ? with_half_arithmetic(e) : e;
  }

  /// Returns the f16 that equals an f32; undefined if rounding may change it.
  Expr exact_half(const Expr& e) {
    const auto [known, is_new] = exact_.try_emplace(e.get());
    if (!is_new) return known->second.second;
    const Expr half = find_exact_half(e);
    exact_[e.get()] = {e, half};
    return half;
  }

  Expr find_exact_half(const Expr& e) {
    if (e.type() != Float(32)) return Expr();  // a cast to integers cuts off, or wraps
    if (e->kind == ExprKind::FloatImm) {
      const Expr half = make_float(Float(16), e->number);
      return half->number == e->number ? half : Expr();
    }
    if (e->kind == ExprKind::Cast) {
      const Expr& from = (*e)[0];
      if (is_half(from)) return from;
      return from.type().bits <= 8 ? make_cast(Float(16), from) : Expr();
    }
    if (!is_exact(e)) return Expr();
    std::vector<Expr> operands = e->operands;
    for (std::size_t i = e->kind == ExprKind::Select ? 1 : 0; i < operands.size(); ++i) {
      operands[i] = exact_half(operands[i]);
      if (!operands[i].defined()) return Expr();
    }
    return in_half(e, operands);
  }

  /// Returns the f16 that equals an f32, or that a constant rounds to; undefined if there is none.
  static Expr rounded_half(const Expr& e) {
    if (e.type() != Float(32)) return Expr();
    if (e->kind == ExprKind::Cast && is_half((*e)[0])) return (*e)[0];
    const bool fits =
        e->kind == ExprKind::FloatImm && (std::isinf(e->number) || std::abs(e->number) <= kLargestHalf);
    return fits ? make_float(Float(16), e->number) : Expr();
  }

  static Expr with_half_arithmetic(const Expr& e) {
    // Sub-group operations have no f16 form.
    if (e.type() != Float(32) || !has_half_form(e->kind) || is_sub_group_operation(*e)) return e;
    std::vector<Expr> operands;
    bool has_value = false;
    for (const Expr& operand : e->operands) {
      const bool is_condition = e->kind == ExprKind::Select && operands.empty();
      const Expr half = is_condition ? operand : rounded_half(operand);
      if (!half.defined()) return e;
      has_value = has_value || (!is_condition && !is_const(operand));
      operands.push_back(half);
    }
    return has_value ? make_cast(Float(32), in_half(e, operands)) : e;
  }

  bool half_arithmetic_;
  std::unordered_map<const ExprNode*, std::pair<Expr, Expr>> exact_;  // the first Expr keeps the key alive
};

}  // namespace

Stmt narrow_arithmetic(const Stmt& stmt, bool half_arithmetic) { return Narrower(half_arithmetic).run(stmt); }

}  // namespace tensordsl::lower
