// Simplifier: exclusive or, which swizzled layouts have in their addresses, shifts by 0, and chains of bit
// casts between types.
#include <algorithm>
#include <bit>
#include <numeric>

#include "ir/nodes/reinterpret.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

/// Returns the largest power of two that divides `value`; for 0 one that is larger than every index.
std::int64_t power_in(std::int64_t value) { return value == 0 ? std::int64_t{1} << 32 : value & -value; }

Expr make_xor(const Expr& a, const Expr& b) { return make_intrinsic(Int(32), "bitwise_xor", {a, b}); }

}  // namespace

bool is_xor(const ExprNode& e) { return e.kind == ExprKind::Intrinsic && e.name == "bitwise_xor"; }

bool shifts_by_nothing(const ExprNode& e) {
  return e.kind == ExprKind::Intrinsic && (e.name == "shift_left" || e.name == "shift_right") &&
         is_const(e[1], 0);
}

Expr of_same_bits(const Expr& expr) {
  const Expr& value = (*expr)[0];
  if (!is_reinterpret(*value)) return expr;
  const Expr& x = (*value)[0];
  if (x.type() == expr.type()) return x;
  if (x.type().is_integer() && expr.type().is_integer()) return make_cast(expr.type(), x);
  return with_operands(expr, {x});
}

std::int64_t Simplifier::power_dividing(const Expr& expr) {
  const Congruence c = congruence(expr);
  return power_in(std::gcd(c.modulus, c.remainder));
}

Expr Simplifier::finish_xor(const Expr& expr) {
  const Expr &a = (*expr)[0], &b = (*expr)[1];
  if (a.type().element() != Int(32)) return expr;
  if (a.type().is_vector()) return finish_vector_xor(expr);
  if (is_const(a, 0)) return b;
  if (is_const(b, 0)) return a;
  if (as_int(a) && as_int(b)) return make_int(Int(32), *as_int(a) ^ *as_int(b));
  // Bits below all that varies: (x*16 + 12) ^ (y*8 + 4) is (x*16 + 8) ^ y*8, plus 4 ^ 4.
  LinearForm sums[2] = {LinearForm(a), LinearForm(b)};
  std::int64_t block = std::int64_t{1} << 32;
  for (const LinearForm& sum : sums) {
    LinearForm varying = sum;
    varying.constant = 0;
    if (varying.is_zero()) continue;
    const Congruence c = congruence(varying);
    block = std::min(block, power_in(std::gcd(c.modulus, c.remainder)));
  }
  std::int64_t low[2];
  for (int side : {0, 1}) {
    low[side] = sums[side].constant & (block - 1);
    sums[side].constant -= low[side];
  }
  if (low[0] == 0 && low[1] == 0) return expr;
  const auto high_a = to_expr(sums[0], Int(32)), high_b = to_expr(sums[1], Int(32));
  if (!high_a || !high_b) return expr;
  return build(ExprKind::Add, finish(make_xor(*high_a, *high_b)), make_int(Int(32), low[0] ^ low[1]));
}

/// Consecutive elements stay so where only bits above them change.
Expr Simplifier::finish_vector_xor(const Expr& expr) {
  const int lanes = expr.type().lanes;
  for (const std::size_t side : {0U, 1U}) {
    const Expr &ramp = (*expr)[side], &other = (*expr)[1 - side];
    if (other->kind != ExprKind::Broadcast) continue;
    if (ramp->kind == ExprKind::Broadcast) {
      return make_broadcast(finish(make_xor((*ramp)[0], (*other)[0])), lanes);
    }
    const bool is_run = ramp->kind == ExprKind::Ramp && is_const((*ramp)[1], 1);
    const auto block = static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(lanes)));
    if (!is_run || power_dividing((*ramp)[0]) < block || power_dividing((*other)[0]) < block) continue;
    return make_ramp(finish(make_xor((*ramp)[0], (*other)[0])), Expr(1), lanes);
  }
  return expr;
}

}  // namespace tensordsl::ir
