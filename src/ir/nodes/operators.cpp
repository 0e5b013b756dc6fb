// The operators of the language: type promotion, then a node.
#include <fmt/format.h>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/extrema.h"
#include "ir/nodes/promotion.h"
#include "ir/nodes/reinterpret.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;

namespace {

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

}  // namespace

Expr operator+(Expr a, Expr b) { return arithmetic(ExprKind::Add, "operator+", std::move(a), std::move(b)); }
Expr operator-(Expr a, Expr b) { return arithmetic(ExprKind::Sub, "operator-", std::move(a), std::move(b)); }
Expr operator*(Expr a, Expr b) { return arithmetic(ExprKind::Mul, "operator*", std::move(a), std::move(b)); }
Expr operator/(Expr a, Expr b) { return arithmetic(ExprKind::Div, "operator/", std::move(a), std::move(b)); }
Expr min(Expr a, Expr b) { return arithmetic(ExprKind::Min, "min", std::move(a), std::move(b)); }
Expr max(Expr a, Expr b) { return arithmetic(ExprKind::Max, "max", std::move(a), std::move(b)); }

Expr ir::min_or_nan(Expr a, Expr b) {
  meet("min", a, b);
  if (!a.type().is_float()) return min(std::move(a), std::move(b));
  return make_binary(ExprKind::MinOrNan, std::move(a), std::move(b));
}

Expr ir::max_or_nan(Expr a, Expr b) {
  meet("max", a, b);
  if (!a.type().is_float()) return max(std::move(a), std::move(b));
  return make_binary(ExprKind::MaxOrNan, std::move(a), std::move(b));
}

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
  if (!is_supported(type) || type.is_vector())
    throw DefinitionError("cast: unsupported type; the types are " + supported_types());
  if (value.type().element() == type.element()) return value;
  if (value->kind == ExprKind::FloatImm && type == Float(64)) return make_float(type, exact_number(*value));
  // f64 <-> f16 goes by way of f32, on every device.
  const auto is_between = [](Type a, Type b) { return a == Float(16) && b == Float(64); };
  const Type from = value.type().element();
  if (is_between(type, from) || is_between(from, type)) value = cast(Float(32), std::move(value));
  return make_cast(type.with_lanes(value.type().lanes), std::move(value));
}

namespace {

std::int64_t lowest(Type type) {
  return type.is_uint() ? 0 : -1 - static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - type.bits));
}
std::uint64_t highest(Type type) { return ~std::uint64_t{0} >> ((type.is_uint() ? 64 : 65) - type.bits); }

}  // namespace

Expr unsafe_promise_clamped(Expr value, Expr low, Expr high) {
  ir::meet("unsafe_promise_clamped", value, low);
  ir::meet("unsafe_promise_clamped", value, high);
  ir::meet("unsafe_promise_clamped", low, high);
  const Type type = value.type();
  if (!type.is_integer())
    throw DefinitionError(
        fmt::format("unsafe_promise_clamped(...): needs integers, found {}", to_string(type)));
  return ir::make_intrinsic(type, "promise_clamped", {std::move(value), std::move(low), std::move(high)});
}

Expr reinterpret(Type type, Expr value) {
  require_defined("reinterpret", value);
  if (!is_supported(type) || type.is_vector())
    throw DefinitionError("reinterpret: unsupported type; the types are " + supported_types());
  const Type from = value.type().element();
  if (type.is_bool() || from.is_bool())
    throw DefinitionError("reinterpret: the bits of a bool are unspecified; use cast");
  if (!can_reinterpret(type, from)) {
    throw DefinitionError(fmt::format(
        "reinterpret: {} has {} bits, but {} has {}; cast to a type with the same number of bits first",
        to_string(from), from.bits, to_string(type), type.bits));
  }
  if (!from.is_float() && !type.is_float()) return cast(type, std::move(value));
  if (from == type) return value;
  return make_intrinsic(type, std::string(kReinterpret), {std::move(value)});
}

Expr saturating_cast(Type type, Expr value) {
  require_defined("saturating_cast", value);
  const Type from = value.type().element();
  if (!is_supported(type) || !type.is_integer() || !from.is_integer()) return cast(type, std::move(value));
  const auto limit = [&](std::uint64_t bits) {
    return make_int(value.type(), static_cast<std::int64_t>(bits));
  };
  if (lowest(from) < lowest(type)) value = max(value, limit(static_cast<std::uint64_t>(lowest(type))));
  if (highest(type) < highest(from)) value = min(value, limit(highest(type)));
  return cast(type, std::move(value));
}

}  // namespace tensordsl
