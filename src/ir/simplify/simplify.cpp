#include "ir/simplify/simplify.h"

#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {

Expr simplify(const Expr& expr, const Bounds& bounds) {
  return expr.defined() ? Simplifier(bounds).simplify(expr) : expr;
}

Interval bounds_of(const Expr& expr, const Bounds& bounds) {
  Simplifier simplifier(bounds);
  return simplifier.bounds(simplifier.simplify(expr));
}

bool can_prove(const Expr& condition, const Bounds& bounds) {
  const Expr result = simplify(condition, bounds);
  const std::int64_t* value = as_int(result);
  return value != nullptr && *value != 0;
}

std::int64_t remainder_of(const Expr& expr, std::int64_t modulus) {
  if (modulus <= 0) return -1;
  const Bounds none;
  Simplifier simplifier(none);
  return simplifier.congruence(simplifier.simplify(expr)).modulo(modulus);
}

}  // namespace tensordsl::ir
