#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> slice(const OperatorOperands& operands) {
  const Sizes starts = operands.attributes.sizes("starts");
  const Ints& steps = operands.attributes.get<Ints>("steps");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at;
  for (std::size_t d = 0; d < starts.size(); ++d) at.push_back(shifted(scaled(vars[d], steps[d]), starts[d]));
  return {output(operands, vars, read(operands, 0, at))};
}

std::vector<Func> loop_element(const OperatorOperands& operands) {
  const auto axis = operands.attributes.get<std::int64_t>("axis");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at;
  if (!operands.output().shape.empty()) at.assign(vars.begin(), vars.end());
  at.insert(at.begin() + axis, operands.attributes.sizes("at").at(0).expr());
  return {output(operands, vars, read(operands, 0, at))};
}

std::vector<Func> split(const OperatorOperands& operands) {
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  std::vector<Func> parts;
  Size begin = 0;
  for (std::size_t i = 0; i < operands.outputs.size(); ++i) {
    const std::vector<Var> vars = index_vars(operands.infos[0].shape);
    std::vector<Expr> at(vars.begin(), vars.end());
    at[axis] = shifted(at[axis], begin);
    parts.push_back(output(operands, i, vars, read(operands, 0, at)));
    begin += operands.attributes.sizes("split")[i];
  }
  return parts;
}

}  // namespace tensordsl::ops::definitions
