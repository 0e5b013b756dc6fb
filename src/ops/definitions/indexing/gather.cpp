#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

std::size_t size_attribute(const OperatorOperands& operands, const char* name) {
  return static_cast<std::size_t>(operands.attributes.get<std::int64_t>(name));
}

}  // namespace

std::vector<Func> gather(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::size_t axis = size_attribute(operands, "axis"), chosen = operands.infos[1].shape.size();
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at, place;
  for (std::size_t d = 0; d < axis; ++d) at.push_back(vars[d]);
  for (std::size_t d = axis; d < axis + chosen; ++d) place.push_back(vars[d]);
  at.push_back(index_inside(read(operands, 1, place), x[axis]));
  for (std::size_t d = axis + 1; d < x.size(); ++d) at.push_back(vars[d + chosen - 1]);
  return {output(operands, vars, read(operands, 0, at))};
}

std::vector<Func> gather_elements(const OperatorOperands& operands) {
  const std::size_t axis = size_attribute(operands, "axis");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at(vars.begin(), vars.end());
  at[axis] = index_inside(read(operands, 1, at), operands.infos[0].shape[axis]);
  return {output(operands, vars, read(operands, 0, at))};
}

std::vector<Func> gather_nd(const OperatorOperands& operands) {
  const Shape &x = operands.infos[0].shape, &indices = operands.infos[1].shape;
  const std::size_t batch = size_attribute(operands, "batch_dims"), places = indices.size() - 1;
  const auto length = static_cast<std::size_t>(indices.back().value());
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at(vars.begin(), vars.begin() + static_cast<std::ptrdiff_t>(batch));
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Expr> place(vars.begin(), vars.begin() + static_cast<std::ptrdiff_t>(places));
    place.emplace_back(static_cast<int>(i));
    at.push_back(index_inside(read(operands, 1, place), x[batch + i]));
  }
  for (std::size_t d = batch + length; d < x.size(); ++d) at.push_back(vars[places + d - batch - length]);
  return {output(operands, vars, read(operands, 0, at))};
}

std::vector<Func> reverse_sequence(const OperatorOperands& operands) {
  const std::size_t batch = size_attribute(operands, "batch_axis"),
                    time = size_attribute(operands, "time_axis");
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<Expr> at(vars.begin(), vars.end());
  const Expr length = cast(Int(32), read(operands, 1, {vars[batch]})), step = at[time];
  at[time] =
      clamp(select(step < length, length - 1 - step, step), 0, index(operands.infos[0].shape[time] - 1));
  return {output(operands, vars, read(operands, 0, at))};
}

}  // namespace tensordsl::ops::definitions
