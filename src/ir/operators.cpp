// The operators of the language: type promotion, then a node.
#include <fmt/format.h>

#include "ir/expr_node.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;

namespace {

void require_defined(std::string_view name, const Expr& e) {
  if (!e.defined()) {
    throw DefinitionError(fmt::format("{}: an operand is undefined; assign the Expr before using it", name));
  }
}

/// f16 is a storage type: its values take part in arithmetic as f32.
Expr promoted(const Expr& e) {
  return e.type().is_float() && e.type().bits == 16 ? make_cast(Float(32, e.type().lanes), e) : e;
}

Type wider(Type a, Type b) {
  if (a.is_float() || b.is_float()) return Float(32);
  if (a.bits != b.bits) return a.bits > b.bits ? a.element() : b.element();
  if (a.is_bool() != b.is_bool()) return a.is_bool() ? b.element() : a.element();
  return a.is_int() ? a.element() : b.element();
}

/// A constant as another type without a cast node, if the value survives.
bool adapts(const Expr& constant, Type type) {
  if (constant->kind == ExprKind::FloatImm) return type.is_float();
  if (constant->kind != ExprKind::IntImm || constant.type().is_bool()) return false;
  if (type.is_float()) return true;
  return !type.is_bool() && make_int(type.element(), constant->value)->value == constant->value;
}

Expr adapted(const Expr& constant, Type type) {
  if (constant->kind == ExprKind::FloatImm) return make_float(type.element(), constant->number);
  return type.is_float() ? make_float(type.element(), static_cast<double>(constant->value))
                         : make_int(type.element(), constant->value);
}

void meet(std::string_view name, Expr& a, Expr& b) {
  require_defined(name, a);
  require_defined(name, b);
  a = promoted(a);
  b = promoted(b);
  if (a.type().element() == b.type().element()) return;
  if (is_const(b) && adapts(b, a.type())) {
    b = adapted(b, a.type());
  } else if (is_const(a) && adapts(a, b.type())) {
    a = adapted(a, b.type());
  } else {
    const Type type = wider(a.type(), b.type());
    a = make_cast(type.with_lanes(a.type().lanes), a);
    b = make_cast(type.with_lanes(b.type().lanes), b);
  }
}

Expr arithmetic(ExprKind kind, std::string_view name, Expr a, Expr b) {
  meet(name, a, b);
  if (a.type().is_bool()) {
    throw DefinitionError(
        fmt::format("{}: bool has no arithmetic; use select, && or ||, or cast to Int(32)", name));
  }
  return make_binary(kind, std::move(a), std::move(b));
}

Expr comparison(ExprKind kind, std::string_view name, Expr a, Expr b) {
  meet(name, a, b);
  return make_binary(kind, std::move(a), std::move(b));
}

Expr logical(ExprKind kind, std::string_view name, Expr a, Expr b) {
  require_defined(name, a);
  require_defined(name, b);
  if (!a.type().is_bool() || !b.type().is_bool()) {
    throw DefinitionError(fmt::format("{}: needs two bools, found {} and {}; compare with 0 first", name,
                                      to_string(a.type()), to_string(b.type())));
  }
  return make_binary(kind, std::move(a), std::move(b));
}

Expr math(const std::string& name, Expr x) {
  require_defined(name, x);
  return make_intrinsic(Float(32), name, {make_cast(Float(32, x.type().lanes), x)});
}

}  // namespace

Expr operator+(Expr a, Expr b) { return arithmetic(ExprKind::Add, "operator+", std::move(a), std::move(b)); }
Expr operator-(Expr a, Expr b) { return arithmetic(ExprKind::Sub, "operator-", std::move(a), std::move(b)); }
Expr operator*(Expr a, Expr b) { return arithmetic(ExprKind::Mul, "operator*", std::move(a), std::move(b)); }
Expr operator/(Expr a, Expr b) { return arithmetic(ExprKind::Div, "operator/", std::move(a), std::move(b)); }
Expr min(Expr a, Expr b) { return arithmetic(ExprKind::Min, "min", std::move(a), std::move(b)); }
Expr max(Expr a, Expr b) { return arithmetic(ExprKind::Max, "max", std::move(a), std::move(b)); }

Expr operator%(Expr a, Expr b) {
  meet("operator%", a, b);
  if (!a.type().is_integer()) {
    throw DefinitionError(
        fmt::format("operator%: needs integers, found {}; use x - floor(x / y) * y", to_string(a.type())));
  }
  return make_binary(ExprKind::Mod, std::move(a), std::move(b));
}

Expr operator-(Expr a) {
  require_defined("operator-", a);
  a = promoted(a);
  if (a.type().is_float()) return make_float(a.type(), -0.0) - a;  // -0 - x is -x for every x, 0 - x is not
  return make_zero(a.type()) - a;
}

Expr operator<(Expr a, Expr b) { return comparison(ExprKind::Lt, "operator<", std::move(a), std::move(b)); }
Expr operator<=(Expr a, Expr b) { return comparison(ExprKind::Le, "operator<=", std::move(a), std::move(b)); }
Expr operator>(Expr a, Expr b) { return comparison(ExprKind::Lt, "operator>", std::move(b), std::move(a)); }
Expr operator>=(Expr a, Expr b) { return comparison(ExprKind::Le, "operator>=", std::move(b), std::move(a)); }
Expr operator==(Expr a, Expr b) { return comparison(ExprKind::Eq, "operator==", std::move(a), std::move(b)); }
Expr operator!=(Expr a, Expr b) { return comparison(ExprKind::Ne, "operator!=", std::move(a), std::move(b)); }
Expr operator&&(Expr a, Expr b) { return logical(ExprKind::And, "operator&&", std::move(a), std::move(b)); }
Expr operator||(Expr a, Expr b) { return logical(ExprKind::Or, "operator||", std::move(a), std::move(b)); }

Expr operator!(Expr a) {
  require_defined("operator!", a);
  if (!a.type().is_bool()) {
    throw DefinitionError(
        fmt::format("operator!: needs a bool, found {}; compare with 0 first", to_string(a.type())));
  }
  return make_unary(ExprKind::Not, std::move(a));
}

Expr clamp(Expr value, Expr low, Expr high) {
  return min(max(std::move(value), std::move(low)), std::move(high));
}

Expr select(Expr condition, Expr if_true, Expr if_false) {
  require_defined("select", condition);
  if (!condition.type().is_bool()) {
    throw DefinitionError(
        fmt::format("select: the condition must be a bool, found {}; compare it with something",
                    to_string(condition.type())));
  }
  meet("select", if_true, if_false);
  return make_select(std::move(condition), std::move(if_true), std::move(if_false));
}

Expr cast(Type type, Expr value) {
  require_defined("cast", value);
  if (!is_supported(type)) {
    throw DefinitionError("cast: unsupported type; the types are f32, f16, i8, u8, i32, i64 and bool");
  }
  if (value.type().element() == type.element()) return value;
  return make_cast(type.with_lanes(value.type().lanes), std::move(value));
}

Expr exp(Expr x) { return math("exp", std::move(x)); }
Expr log(Expr x) { return math("log", std::move(x)); }
Expr sqrt(Expr x) { return math("sqrt", std::move(x)); }
Expr rsqrt(Expr x) { return math("rsqrt", std::move(x)); }
Expr tanh(Expr x) { return math("tanh", std::move(x)); }
Expr erf(Expr x) { return math("erf", std::move(x)); }
Expr sin(Expr x) { return math("sin", std::move(x)); }
Expr cos(Expr x) { return math("cos", std::move(x)); }
Expr floor(Expr x) { return math("floor", std::move(x)); }
Expr ceil(Expr x) { return math("ceil", std::move(x)); }
Expr round(Expr x) { return math("round", std::move(x)); }

Expr pow(Expr x, Expr y) {
  require_defined("pow", x);
  require_defined("pow", y);
  return make_intrinsic(Float(32), "pow",
                        {make_cast(Float(32, x.type().lanes), x), make_cast(Float(32, y.type().lanes), y)});
}

Expr abs(Expr x) {
  require_defined("abs", x);
  x = promoted(x);
  if (x.type().is_float()) return make_intrinsic(x.type(), "abs", {x});
  return x.type().is_uint() ? x : max(x, make_zero(x.type()) - x);
}

}  // namespace tensordsl
