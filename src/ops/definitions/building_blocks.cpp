#include "ops/definitions/building_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/nodes/expr_node.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::definitions {
namespace {

std::int64_t saturated(Type type, double value) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int64_t highest =
      type.bits == 64 ? kMax : (std::int64_t{1} << (type.is_uint() ? type.bits : type.bits - 1)) - 1;
  const std::int64_t lowest = type.is_uint() ? 0 : -highest - 1;
  if (!(value < 0x1p63)) return highest;
  if (value < -0x1p63) return lowest;
  return std::clamp(static_cast<std::int64_t>(value), lowest, highest);
}

}  // namespace

Expr index(const Size& value) { return value.expr(); }

Expr scaled(const Expr& index, const Size& factor) {
  return factor == Size(1) ? index : index * definitions::index(factor);
}

Expr divided(const Expr& index, const Size& factor) {
  return factor == Size(1) ? index : index / definitions::index(factor);
}

Expr shifted(const Expr& index, const Size& offset) {
  if (offset == Size(0)) return index;
  return is_less(offset, 0) == true ? index - definitions::index(Size(0) - offset)
                                    : index + definitions::index(offset);
}

Expr constant(Type type, double value) {
  if (type == Float(64)) return ir::make_float(type, value);
  if (type.is_float()) return Expr(value);
  return type.is_bool() ? ir::make_bool(value != 0) : ir::make_int(type, saturated(type, value));
}

Expr number(Type type, const Size& value) {
  if (!value.is_known()) return cast(type, index(value));
  if (type.is_int() || type.is_uint()) return ir::make_int(type, value.value());
  return constant(type, static_cast<double>(value.value()));
}

Expr element(const Buffer& value, std::int64_t i) {
  const Type type = value.type();
  return type.is_float() || type.is_bool() ? constant(type, value.get(i))
                                           : ir::make_int(type, value.get_int(i));
}

Expr accumulated(const Expr& value) {
  const Type type = value.type();
  if (type == Float(16)) return cast(Float(32), value);
  return type.bits < 32 ? cast(Int(32), value) : value;
}

void take_largest_number(Func& func, const std::vector<Var>& vars, const Expr& value) {
  func(vars) = ir::make_float(value.type(), -std::numeric_limits<double>::infinity());
  func(vars) = max(func(vars), value);
}

void take_smallest_number(Func& func, const std::vector<Var>& vars, const Expr& value) {
  func(vars) = ir::make_float(value.type(), std::numeric_limits<double>::infinity());
  func(vars) = min(func(vars), value);
}

Expr truncating_quotient(const Expr& a, const Expr& b) {
  const Expr floored = a / b;
  if (!a.type().is_int()) return floored;
  return select(floored < 0 && floored * b != a, floored + 1, floored);
}

Expr larger(const Expr& a, const Expr& b) {
  if (!a.type().is_float() && !b.type().is_float()) return max(a, b);
  return select(a < b || is_nan(b), b, a);
}

Expr smaller(const Expr& a, const Expr& b) {
  if (!a.type().is_float() && !b.type().is_float()) return min(a, b);
  return select(b < a || is_nan(b), b, a);
}

Expr limited(const Expr& value, const Expr& low, const Expr& high) {
  if (!value.type().is_float()) return clamp(value, low, high);
  return select(value < low, min(low, high), select(high < value, high, value));
}

Expr norm_power(const Expr& value, std::int64_t p) {
  constexpr std::int64_t kMostMultiplied = 64;
  if (p > kMostMultiplied) return pow(abs(value), static_cast<double>(p));
  Expr result, square = p == 2 ? value : abs(value);
  for (std::int64_t rest = p; rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = result.defined() ? result * square : square;
    if (rest > 1) square = square * square;
  }
  return result;
}

Expr norm_root(const Expr& sum, std::int64_t p) {
  if (p == 1) return sum;
  return p == 2 ? sqrt(sum) : pow(sum, 1.0 / static_cast<double>(p));
}

Expr from_end(const Expr& value, const Size& extent) {
  const Expr place = cast(Int(32), value);
  return select(place < 0, place + index(extent), place);
}

Expr index_inside(const Expr& value, const Size& extent) {
  return clamp(from_end(value, extent), 0, index(extent - 1));
}

std::vector<Var> index_vars(const Shape& shape) {
  std::vector<Var> vars;
  for (std::size_t d = 0; d < std::max<std::size_t>(shape.size(), 1); ++d) {
    vars.emplace_back(fmt::format("d{}", d));
  }
  return vars;
}

std::vector<Var> image_vars(const Shape& shape) {
  if (shape.size() != 4) return index_vars(shape);
  return {Var("n"), Var("c"), Var("h"), Var("w")};
}

Expr read(const OperatorOperands& operands, std::size_t i, const std::vector<Expr>& indices) {
  const Func& input = operands.input(i);
  return indices.empty() ? input(0) : input(indices);
}

std::vector<Expr> broadcast_indices(const Shape& from, const Shape& to, const std::vector<Var>& vars) {
  std::vector<Expr> indices;
  for (std::size_t d = 0; d < from.size(); ++d) {
    const std::size_t at = to.size() - from.size() + d;
    const bool repeated = from[d] == 1 && to[at] != 1;
    indices.push_back(repeated ? Expr(0) : Expr(vars[at]));
  }
  return indices;
}

Expr read_broadcast(const OperatorOperands& operands, std::size_t i, const std::vector<Var>& vars) {
  return read(operands, i, broadcast_indices(operands.infos[i].shape, operands.output().shape, vars));
}

Func output(const OperatorOperands& operands, const std::vector<Var>& vars, const Expr& value) {
  return output(operands, 0, vars, value);
}

Func output(const OperatorOperands& operands, std::size_t i, const std::vector<Var>& vars,
            const Expr& value) {
  Func result(i == 0 ? operands.name : fmt::format("{}_output{}", operands.name, i));
  result(vars) = cast(operands.outputs[i].type, value);
  return result;
}

}  // namespace tensordsl::ops::definitions
