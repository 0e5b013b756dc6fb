#include "ir/nodes/promotion.h"

#include <fmt/format.h>

#include "ir/nodes/interval.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

Type wider(Type a, Type b) {
  if (a.is_float() || b.is_float()) return Float(a == Float(64) || b == Float(64) ? 64 : 32);
  if (a.bits != b.bits) return a.bits > b.bits ? a.element() : b.element();
  if (a.is_bool() != b.is_bool()) return a.is_bool() ? b.element() : a.element();
  return a.is_int() ? a.element() : b.element();
}

/// A constant as another type without a cast node, if the value survives.
bool adapts(const Expr& constant, Type type) {
  if (constant->kind == ExprKind::FloatImm) return type.is_float();
  if (constant->kind != ExprKind::IntImm || constant.type().is_bool()) return false;
  if (type.is_float()) return true;
  const bool changes_sign =
      constant->value < 0 && (constant->type == UInt(64)) != (type.element() == UInt(64));
  return !type.is_bool() && !changes_sign &&
         make_int(type.element(), constant->value)->value == constant->value;
}

Expr adapted(const Expr& constant, Type type) {
  if (constant->kind == ExprKind::FloatImm) return make_float(type.element(), exact_number(*constant));
  if (!type.is_float()) return make_int(type.element(), constant->value);
  const bool is_large = constant->type == UInt(64) && constant->value < 0;
  return make_float(type.element(), is_large
                                        ? static_cast<double>(static_cast<std::uint64_t>(constant->value))
                                        : static_cast<double>(constant->value));
}

}  // namespace

void require_defined(std::string_view name, const Expr& e) {
  if (!e.defined()) {
    throw DefinitionError(fmt::format("{}: an operand is undefined; assign the Expr before using it", name));
  }
}

Expr promoted(const Expr& e) {
  return e.type().is_float() && e.type().bits == 16 ? make_cast(Float(32, e.type().lanes), e) : e;
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

Expr as_index(const Expr& expr) {
  const std::int64_t* value = as_int(expr);
  const bool fits = value && expr.type().is_integer() && range_of(Int(32)).contains({*value, *value});
  return fits ? make_int(Int(32), *value) : expr;
}

}  // namespace tensordsl::ir
