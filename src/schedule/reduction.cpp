#include "schedule/reduction.h"

#include <cstdint>
#include <limits>

#include "tensordsl/error.h"

namespace tensordsl::schedule {

using namespace ir;

namespace {

Expr lowest(Type type) {
  if (type.is_float()) return make_float(type, -std::numeric_limits<double>::infinity());
  if (type.is_uint() || type.is_bool()) return make_int(type, 0);
  return make_int(type, type.bits == 64 ? std::numeric_limits<std::int64_t>::min()
                                        : -(std::int64_t{1} << (type.bits - 1)));
}

Expr highest(Type type) {
  if (type.is_float()) return make_float(type, std::numeric_limits<double>::infinity());
  if (type.is_bool()) return make_int(type, 1);
  if (type == UInt(64)) return make_int(type, -1);
  const int value_bits = type.is_uint() ? type.bits : type.bits - 1;
  return make_int(type, static_cast<std::int64_t>((std::uint64_t{1} << value_bits) - 1));
}

}  // namespace

Expr identity_of(ExprKind reduction, Type type) {
  switch (reduction) {
    case ExprKind::Add:
      return make_zero(type);
    case ExprKind::Mul:
      return make_const(type, 1);
    case ExprKind::Min:
    case ExprKind::MinOrNan:
      return highest(type);
    case ExprKind::Max:
    case ExprKind::MaxOrNan:
      return lowest(type);
    default:
      throw InternalError("identity_of: not a reduction operator");
  }
}

}  // namespace tensordsl::schedule
