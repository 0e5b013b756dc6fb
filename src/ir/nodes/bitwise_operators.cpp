// The operators of the language on the bits of integers: promotion, then a node.
#include <fmt/format.h>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/integer_operations.h"
#include "ir/nodes/promotion.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;

namespace {

void require_integer(std::string_view name, const Expr& e) {
  require_defined(name, e);
  if (e.type().is_integer()) return;
  throw DefinitionError(fmt::format("{}: needs integers, found {}; {}", name, to_string(e.type()),
                                    e.type().is_bool() ? "use && or ||, or cast it" : "cast it"));
}

Expr bitwise(IntegerOperationKind kind, std::string_view name, Expr a, Expr b) {
  require_integer(name, a);
  require_integer(name, b);
  meet(name, a, b);
  return make_integer_operation(kind, a, b);
}

bool reads_data(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& part) {
    found = found || part->kind == ExprKind::Call;
    return !found;
  });
  return found;
}

/// Returns a shift; the distance is converted to the type of the first operand.
Expr shifted(IntegerOperationKind kind, std::string_view name, const Expr& a, const Expr& distance) {
  require_integer(name, a);
  require_integer(name, distance);
  const Expr by = cast(a.type().element(), distance);
  const int bits = a.type().bits;
  const std::int64_t* constant = as_int(distance);
  if (!constant) return make_integer_operation(kind, a, by);
  const std::int64_t steps = *constant & (bits - 1);
  // Shifts become multiples and quotients, which the analysis of indices understands. A sum of data may be
  // shifted out, so it stays a shift.
  const bool is_right = kind == IntegerOperationKind::ShiftRight;
  const bool is_index = a.type() == Int(32) && !reads_data(a);
  if (steps < bits - 1 && (is_right || is_index)) {
    const Expr factor = make_int(a.type(), std::int64_t{1} << steps);
    return make_binary(is_right ? ExprKind::Div : ExprKind::Mul, a, factor);
  }
  return make_integer_operation(kind, a, make_int(a.type(), steps));
}

/// Returns an intrinsic that counts bits of an integer.
Expr counted(const std::string& name, const Expr& x) {
  require_integer(name, x);
  return make_intrinsic(x.type(), name, {x});
}

}  // namespace

Expr operator&(Expr a, Expr b) {
  return bitwise(IntegerOperationKind::BitwiseAnd, "operator&", std::move(a), std::move(b));
}
Expr operator|(Expr a, Expr b) {
  return bitwise(IntegerOperationKind::BitwiseOr, "operator|", std::move(a), std::move(b));
}
Expr operator^(Expr a, Expr b) {
  return bitwise(IntegerOperationKind::BitwiseXor, "operator^", std::move(a), std::move(b));
}
Expr operator~(Expr a) {
  require_integer("operator~", a);
  return make_integer_operation(IntegerOperationKind::BitwiseXor, a, make_int(a.type(), -1));
}
Expr operator<<(Expr a, Expr distance) {
  return shifted(IntegerOperationKind::ShiftLeft, "operator<<", a, distance);
}
Expr operator>>(Expr a, Expr distance) {
  return shifted(IntegerOperationKind::ShiftRight, "operator>>", a, distance);
}
Expr popcount(Expr x) { return counted("popcount", x); }
Expr count_leading_zeros(Expr x) { return counted("count_leading_zeros", x); }

}  // namespace tensordsl
