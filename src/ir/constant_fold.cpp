#include "ir/constant_fold.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ir/interval.h"

namespace tensordsl::ir {
namespace {

const ExprNode& scalar(const Expr& constant) {
  return constant->kind == ExprKind::Broadcast ? *(*constant)[0] : *constant;
}

/// Sums and products of narrow integers wrap. An i32 or i64 must not overflow: what does is left as it is, so
/// that whoever needs its value sees how large it is.
std::optional<std::int64_t> fitting(Type type, std::int64_t wrapped, std::int64_t saturated) {
  if (type.bits >= 32 && (wrapped != saturated || !range_of(type).contains(saturated))) return std::nullopt;
  return wrapped;
}

std::optional<std::int64_t> integer_result(ExprKind kind, Type type, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case ExprKind::Add:
      return fitting(type, wrapping_add(a, b), saturating_add(a, b));
    case ExprKind::Sub:
      return fitting(type, wrapping_sub(a, b), b == INT64_MIN ? INT64_MAX : saturating_add(a, -b));
    case ExprKind::Mul:
      return fitting(type, wrapping_mul(a, b), saturating_mul(a, b));
    case ExprKind::Div:
      return floor_div(a, b);
    case ExprKind::Mod:
      return floor_mod(a, b);
    case ExprKind::Min:
      return std::min(a, b);
    case ExprKind::Max:
      return std::max(a, b);
    case ExprKind::Eq:
      return a == b;
    case ExprKind::Ne:
      return a != b;
    case ExprKind::Lt:
      return a < b;
    case ExprKind::Le:
      return a <= b;
    case ExprKind::And:
      return a && b;
    case ExprKind::Or:
      return a || b;
    default:
      return std::nullopt;
  }
}

std::optional<float> float_result(ExprKind kind, float a, float b) {
  switch (kind) {
    case ExprKind::Add:
      return a + b;
    case ExprKind::Sub:
      return a - b;
    case ExprKind::Mul:
      return a * b;
    case ExprKind::Div:
      return a / b;
    // Which zero min(0, -0) gives is the device's choice.
    case ExprKind::Min:
      return a == b && std::signbit(a) != std::signbit(b) ? std::nullopt : std::optional(std::fmin(a, b));
    case ExprKind::Max:
      return a == b && std::signbit(a) != std::signbit(b) ? std::nullopt : std::optional(std::fmax(a, b));
    default:
      return std::nullopt;
  }
}

std::optional<bool> float_comparison(ExprKind kind, double a, double b) {
  switch (kind) {
    case ExprKind::Eq:
      return a == b;
    case ExprKind::Ne:
      return a != b;
    case ExprKind::Lt:
      return a < b;
    case ExprKind::Le:
      return a <= b;
    default:
      return std::nullopt;
  }
}

Expr finite_float(Type type, double value) {
  const Expr result = make_float(type, value);
  return std::isfinite(scalar(result).number) ? result : Expr();
}

Expr fold_binary(const Expr& expr, const ExprNode& a, const ExprNode& b) {
  if (!a.type.is_float()) {
    const auto value = integer_result(expr->kind, a.type, a.value, b.value);
    return value ? make_int(expr.type(), *value) : Expr();
  }
  if (const auto truth = float_comparison(expr->kind, a.number, b.number))
    return make_int(expr.type(), *truth);
  // f16 arithmetic is f32 arithmetic that is rounded once more.
  const auto value = float_result(expr->kind, static_cast<float>(a.number), static_cast<float>(b.number));
  return value ? finite_float(expr.type(), *value) : Expr();
}

/// Float to integer truncates toward zero and saturates.
std::int64_t truncated(Type type, double value) {
  const Interval range = range_of(type);
  const double whole = std::trunc(value);
  // As a double INT64_MAX is 2^63, which does not convert back.
  if (whole >= static_cast<double>(range.high)) return range.high;
  if (whole <= static_cast<double>(range.low)) return range.low;
  return static_cast<std::int64_t>(whole);
}

Expr fold_cast(Type to, const ExprNode& from) {
  if (!from.type.is_float()) {
    if (!to.is_float()) return make_int(to, from.value);
    // Straight to float: by way of double an i64 would be rounded twice.
    return finite_float(to, static_cast<float>(from.value));
  }
  if (to.is_float()) return finite_float(to, from.number);
  if (std::isnan(from.number)) return Expr();
  return make_int(to, to.is_bool() ? from.number != 0 : truncated(to, from.number));
}

}  // namespace

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return wrapping_sub(0, a);
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return 0;
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

Expr fold_constants(const Expr& expr) {
  if (expr->operands.empty() || expr->operands.size() > 2) return Expr();
  if (!std::all_of(expr->operands.begin(), expr->operands.end(), [](const Expr& e) { return is_const(e); }))
    return Expr();
  switch (expr->kind) {
    case ExprKind::Not:
      return make_int(expr.type(), !scalar((*expr)[0]).value);
    case ExprKind::Cast:
      return fold_cast(expr.type(), scalar((*expr)[0]));
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
    case ExprKind::And:
    case ExprKind::Or:
      return fold_binary(expr, scalar((*expr)[0]), scalar((*expr)[1]));
    default:
      return Expr();
  }
}

}  // namespace tensordsl::ir
