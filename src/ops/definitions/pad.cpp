#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {

std::vector<Func> pad(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const Ints& pads = operands.attributes.get<Ints>("pads");
  const std::vector<Var> vars = index_vars(operands.output().shape);

  std::vector<Expr> at;
  Expr inside;
  const auto require = [&](const Expr& test) { inside = inside.defined() ? inside && test : test; };
  for (std::size_t d = 0; d < x.size(); ++d) {
    const std::int64_t begin = pads[d], end = pads[d + x.size()];
    const Expr element = shifted(vars[d], -begin);
    if (begin > 0) require(element >= 0);
    if (end > 0) require(element < index(x[d]));
    at.push_back(begin > 0 || end > 0 ? clamp(element, 0, index(x[d] - 1)) : element);
  }

  Expr value = read(operands, 0, at);
  if (inside.defined()) {
    value = select(inside, value, constant(value.type(), operands.attributes.get<double>("value")));
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::definitions
