#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The type in which updates meet: sums and products of f16 in f32.
Expr met(const OperatorOperands& operands, const Expr& value) {
  const std::string& reduction = operands.attributes.get<std::string>("reduction");
  return reduction == "add" || reduction == "mul" ? accumulated(value) : value;
}

Expr combined(const OperatorOperands& operands, const Expr& before, const Expr& update) {
  const std::string& reduction = operands.attributes.get<std::string>("reduction");
  if (reduction == "add") return before + update;
  if (reduction == "mul") return before * update;
  if (reduction == "max") return larger(before, update);
  if (reduction == "min") return smaller(before, update);
  return update;
}

/// NAME_scattered, which starts as x.
Func start(const OperatorOperands& operands, const std::vector<Var>& vars) {
  Func result(operands.name + "_scattered");
  result(vars) = met(operands, read_broadcast(operands, 0, vars));
  return result;
}

}  // namespace

std::vector<Func> scatter_elements(const OperatorOperands& operands) {
  const Shape &x = operands.infos[0].shape, &indices = operands.infos[1].shape;
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(x);
  Func result = start(operands, vars);
  if (!is_empty(indices)) {
    // Keeps whole dimensions as indices, because elements of different rows never collide.
    std::vector<std::pair<Expr, Expr>> ranges;
    for (std::size_t d = 0; d < x.size(); ++d) {
      if (d == axis || indices[d] != x[d]) ranges.emplace_back(0, index(indices[d]));
    }
    const RDom r(ranges, "r");
    std::vector<Expr> from, to;
    int used = 0;
    for (std::size_t d = 0; d < x.size(); ++d)
      from.push_back(d == axis || indices[d] != x[d] ? Expr(r[used++]) : Expr(vars[d]));
    to = from;
    to[axis] = from_end(read(operands, 1, from), x[axis]);
    result(to) = combined(operands, result(to), met(operands, read(operands, 2, from)));
  }
  return {output(operands, vars, result(vars))};
}

std::vector<Func> scatter_nd(const OperatorOperands& operands) {
  const Shape &x = operands.infos[0].shape, &indices = operands.infos[1].shape;
  const auto length = static_cast<std::size_t>(indices.back().value());
  const std::vector<Var> vars = index_vars(x);
  Func result = start(operands, vars);
  if (!is_empty(operands.infos[2].shape)) {
    std::vector<std::pair<Expr, Expr>> ranges;
    for (std::size_t d = 0; d + 1 < indices.size(); ++d) ranges.emplace_back(0, index(indices[d]));
    if (ranges.empty()) ranges.emplace_back(0, 1);
    const RDom r(ranges, "r");
    std::vector<Expr> from, to;
    for (std::size_t d = 0; d + 1 < indices.size(); ++d) from.push_back(r[static_cast<int>(d)]);
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<Expr> place = from;
      place.emplace_back(static_cast<int>(i));
      to.push_back(from_end(read(operands, 1, place), x[i]));
    }
    for (std::size_t d = length; d < x.size(); ++d) {
      from.push_back(vars[d]);
      to.push_back(vars[d]);
    }
    result(to) = combined(operands, result(to), met(operands, read(operands, 2, from)));
  }
  return {output(operands, vars, result(vars))};
}

/// Each element of the cache is the update that is written there, or keeps its value.
std::vector<Func> tensor_scatter(const OperatorOperands& operands) {
  const Shape &cache = operands.infos[0].shape, &update = operands.infos[1].shape;
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(cache);
  if (is_empty(update)) return {output(operands, vars, read(operands, 0, {vars.begin(), vars.end()}))};
  const Expr first = operands.has_input(2) ? cast(Int(32), read(operands, 2, {vars[0]})) : Expr(0);
  Expr place = vars[axis] - first;
  if (operands.attributes.get<std::string>("mode") == "circular") place = place % index(cache[axis]);
  std::vector<Expr> at(vars.begin(), vars.end());
  const Expr own = read(operands, 0, at);
  at[axis] = clamp(place, 0, index(update[axis] - 1));
  const Expr is_written = place >= 0 && place < index(update[axis]);
  return {output(operands, vars, select(is_written, read(operands, 1, at), own))};
}

}  // namespace tensordsl::ops::definitions
