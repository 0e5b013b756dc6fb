// The language's functions on numbers: promotion, then an intrinsic or its expansion.
#include <algorithm>
#include <limits>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/promotion.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;

namespace {

/// f32, or f64 if one of them is.
Type real_type(const std::vector<Expr>& operands) {
  const bool has_double =
      std::ranges::any_of(operands, [](const Expr& e) { return e.type().element() == Float(64); });
  return Float(has_double ? 64 : 32);
}

Expr math(const std::string& name, std::vector<Expr> operands) {
  for (const Expr& e : operands) require_defined(name, e);
  const Type type = real_type(operands);
  for (Expr& e : operands) e = cast(type, e);
  return make_intrinsic(type, name, std::move(operands));
}

}  // namespace

Expr exp(Expr x) { return math("exp", {std::move(x)}); }
Expr exp2(Expr x) { return math("exp2", {std::move(x)}); }
Expr log(Expr x) { return math("log", {std::move(x)}); }
Expr log1p(Expr x) { return math("log1p", {std::move(x)}); }
Expr log2(Expr x) { return math("log2", {std::move(x)}); }
Expr sqrt(Expr x) { return math("sqrt", {std::move(x)}); }
Expr rsqrt(Expr x) { return math("rsqrt", {std::move(x)}); }
Expr tanh(Expr x) { return math("tanh", {std::move(x)}); }
Expr erf(Expr x) { return math("erf", {std::move(x)}); }
Expr erfc(Expr x) { return math("erfc", {std::move(x)}); }
Expr sin(Expr x) { return math("sin", {std::move(x)}); }
Expr cos(Expr x) { return math("cos", {std::move(x)}); }
Expr tan(Expr x) { return math("tan", {std::move(x)}); }
Expr asin(Expr x) { return math("asin", {std::move(x)}); }
Expr acos(Expr x) { return math("acos", {std::move(x)}); }
Expr atan(Expr x) { return math("atan", {std::move(x)}); }
Expr atan2(Expr y, Expr x) { return math("atan2", {std::move(y), std::move(x)}); }
Expr sinh(Expr x) { return math("sinh", {std::move(x)}); }
Expr cosh(Expr x) { return math("cosh", {std::move(x)}); }
Expr asinh(Expr x) { return math("asinh", {std::move(x)}); }
Expr acosh(Expr x) { return math("acosh", {std::move(x)}); }
Expr atanh(Expr x) { return math("atanh", {std::move(x)}); }
Expr floor(Expr x) { return math("floor", {std::move(x)}); }
Expr ceil(Expr x) { return math("ceil", {std::move(x)}); }
Expr trunc(Expr x) { return math("trunc", {std::move(x)}); }
Expr round(Expr x) { return math("round", {std::move(x)}); }
Expr pow(Expr x, Expr y) { return math("pow", {std::move(x), std::move(y)}); }
Expr fmod(Expr x, Expr y) { return math("fmod", {std::move(x), std::move(y)}); }
Expr fma(Expr a, Expr b, Expr c) { return math("fma", {std::move(a), std::move(b), std::move(c)}); }

Expr abs(Expr x) {
  require_defined("abs", x);
  x = promoted(x);
  if (x.type().is_float()) return make_intrinsic(x.type(), "abs", {x});
  if (x.type().is_bool()) throw DefinitionError("abs: bool has no arithmetic; cast to Int(32)");
  return x.type().is_uint() ? x : max(x, make_zero(x.type()) - x);
}

Expr abs_diff(Expr a, Expr b) {
  meet("abs_diff", a, b);
  if (a.type().is_float()) return abs(a - b);
  if (a.type().is_bool()) throw DefinitionError("abs_diff: bool has no arithmetic; cast to Int(32)");
  const Type natural = UInt(a.type().bits);
  return cast(natural, max(a, b)) - cast(natural, min(a, b));
}

Expr is_nan(Expr x) {
  require_defined("is_nan", x);
  x = promoted(x);
  return x.type().is_float() ? x != x : make_bool(false);
}

Expr is_inf(Expr x) {
  require_defined("is_inf", x);
  x = promoted(x);
  if (!x.type().is_float()) return make_bool(false);
  return abs(x) == make_float(x.type().element(), std::numeric_limits<double>::infinity());
}

Expr is_finite(Expr x) {
  require_defined("is_finite", x);
  x = promoted(x);
  if (!x.type().is_float()) return make_bool(true);
  return abs(x) < make_float(x.type().element(), std::numeric_limits<double>::infinity());
}

}  // namespace tensordsl
