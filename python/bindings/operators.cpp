#include "python/bindings/operators.h"

namespace tensordsl::python {

Expr floor_divided(const Expr& a, const Expr& b) {
  const Expr quotient = a / b;
  return quotient.type().is_float() ? floor(quotient) : quotient;
}

Expr bitwise_and(const Expr& a, const Expr& b) {
  return a.type().is_bool() && b.type().is_bool() ? a && b : a & b;
}

Expr bitwise_or(const Expr& a, const Expr& b) {
  return a.type().is_bool() && b.type().is_bool() ? a || b : a | b;
}

Expr bitwise_xor(const Expr& a, const Expr& b) {
  return a.type().is_bool() && b.type().is_bool() ? a != b : a ^ b;
}

Expr inverted(const Expr& a) { return a.type().is_bool() ? !a : ~a; }

}  // namespace tensordsl::python
