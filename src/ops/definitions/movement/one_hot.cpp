#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> one_hot(const OperatorOperands& operands) {
  const auto axis = operands.attributes.get<std::int64_t>("axis");
  const Size depth = operands.attributes.sizes("depth").at(0);
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at(vars.begin(), vars.end());
  at.erase(at.begin() + axis);
  const Expr given = read(operands, 0, at);
  // Conversion to a narrower type could bring an index that is far outside into the range.
  const Type type = given.type().is_float() || given.type().bits >= 32 ? Int(64) : Int(32);
  const Expr hot = cast(type, given), place = cast(type, vars[static_cast<std::size_t>(axis)]);
  const Expr is_hot = hot == place || hot + number(type, depth) == place;
  return {output(operands, vars, select(is_hot, read(operands, 1, {1}), read(operands, 1, {0})))};
}

std::vector<Func> trilu(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr row = vars[vars.size() - 2], column = vars[vars.size() - 1];
  const Expr diagonal = shifted(row, operands.attributes.sizes("k").at(0));
  const bool is_upper = operands.attributes.get<std::int64_t>("upper") != 0;
  const Expr is_kept = is_upper ? diagonal <= column : column <= diagonal;
  const Expr value = read_broadcast(operands, 0, vars);
  return {output(operands, vars, select(is_kept, value, constant(value.type(), 0)))};
}

}  // namespace tensordsl::ops::definitions
