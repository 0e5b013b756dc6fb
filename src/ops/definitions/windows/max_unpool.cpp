#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/shapes/windows.h"

namespace tensordsl::ops::definitions {

std::vector<Func> max_unpool(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const Attributes& attributes = operands.attributes;
  const Window window{attributes.get<Ints>("kernel_shape"),
                      attributes.get<Ints>("strides"),
                      {},
                      attributes.get<Ints>("pads")};
  const Sizes pooled = shapes::unpooled_extents(window, x);
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const Var place("place");

  std::vector<std::pair<Expr, Expr>> ranges;
  for (std::size_t d = 2; d < x.size(); ++d) ranges.emplace_back(0, index(x[d]));
  const RDom r(ranges, "r");
  std::vector<Expr> at{vars[0], vars[1]};
  at.insert(at.end(), r.axes().begin(), r.axes().end());

  // The indices count from the first element of all channels. MaxPool's own indices are in the same channel.
  const Size elements = element_count(Shape(pooled));
  const Expr channel = cast(Int(64), vars[0]) * number(Int(64), x[1]) + cast(Int(64), vars[1]);
  const Expr own = read(operands, 1, at) - channel * number(Int(64), elements);
  Func plane(operands.name + "_plane");
  plane({vars[0], vars[1], place}) = cast(operands.output().type, 0);
  plane({vars[0], vars[1], cast(Int(32), own)}) = read(operands, 0, at);

  Expr linear = 0, is_inside;
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    const Expr& var = vars[i + 2];
    linear = scaled(linear, pooled[i]) + min(var, index(pooled[i] - 1));
    if (operands.output().shape[i + 2] == pooled[i]) continue;
    const Expr test = var < index(pooled[i]);
    is_inside = is_inside.defined() ? is_inside && test : test;
  }
  Expr value = plane({vars[0], vars[1], linear});
  if (is_inside.defined()) value = select(is_inside, value, 0);
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
