#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> concat(const OperatorOperands& operands) {
  const auto axis = static_cast<std::size_t>(operands.attributes.get<std::int64_t>("axis"));
  const std::vector<Var> vars = index_vars(operands.output().shape);

  // Nests selects from the last input to the first: d < end ? this : those after.
  Expr value;
  Size begin = operands.output().shape[axis];
  for (std::size_t i = operands.inputs.size(); i-- > 0;) {
    const Size extent = operands.infos[i].shape[axis], end = begin;
    begin -= extent;
    if (extent == Size(0)) continue;
    // Clamped, so that no input is taken to be read outside its shape.
    std::vector<Expr> at(vars.begin(), vars.end());
    if (extent != operands.output().shape[axis]) {
      at[axis] = clamp(shifted(vars[axis], Size(0) - begin), 0, index(extent - 1));
    }
    const Expr element = read(operands, i, at);
    value = value.defined() ? select(vars[axis] < index(end), element, value) : element;
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
