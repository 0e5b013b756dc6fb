#include "lower/passes/arithmetic/expand_erf.h"

#include <span>

#include "ir/nodes/name_filter.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

constexpr const char* kErf = "erf";
// For larger arguments the value is 1.
constexpr double kSaturation = 4;
// Coefficients of powers of x*x, highest first.
constexpr double kNumerator[] = {-2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
                                 -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                                 -1.60960333262415e-02};
constexpr double kDenominator[] = {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                                   -7.37332916720468e-03, -1.42647390514189e-02};

Expr float_constant(Type type, double value) {
  return make_broadcast(make_float(type.element(), value), type.lanes);
}

Expr polynomial(std::span<const double> coefficients, const Expr& x) {
  Expr sum = float_constant(x.type(), coefficients[0]);
  for (const double coefficient : coefficients.subspan(1))
    sum = sum * x + float_constant(x.type(), coefficient);
  return sum;
}

Expr clamped(const Expr& x, double limit) {
  return make_binary(ExprKind::Min, make_binary(ExprKind::Max, x, float_constant(x.type(), -limit)),
                     float_constant(x.type(), limit));
}

/// Clamps to [-1, 1]: quotients near 1 may exceed it. A NaN stays a NaN.
Expr erf_of(const Expr& x) {
  const Expr inside = clamped(x, kSaturation);
  const Expr square = inside * inside;
  const Expr value = inside * (polynomial(kNumerator, square) / polynomial(kDenominator, square));
  return make_select(make_binary(ExprKind::Eq, x, x), clamped(value, 1), x);
}

Expr expanded(const Expr& expr) {
  if (!expr->names.may_share(NameFilter(kErf))) return expr;
  return rewrite(expr, [](const Expr& e) {
    const bool is_erf = e->kind == ExprKind::Intrinsic && e->name == kErf && e.type().element() == Float(32);
    return is_erf ? erf_of((*e)[0]) : e;
  });
}

}  // namespace

Stmt expand_erf(const Stmt& stmt) {
  if (!stmt->names.may_share(NameFilter(kErf))) return stmt;
  return map_children(stmt, expanded, expand_erf);
}

}  // namespace tensordsl::lower
