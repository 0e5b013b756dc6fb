#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {

std::vector<Func> col2im(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Ints &block = attributes.get<Ints>("block_shape"), &dilations = attributes.get<Ints>("dilations");
  const Ints &pads = attributes.get<Ints>("pads"), &strides = attributes.get<Ints>("strides");
  const Shape& y = operands.output().shape;
  const std::vector<Var> vars = index_vars(y);

  std::vector<std::pair<Expr, Expr>> ranges;
  for (const std::int64_t extent : block) ranges.emplace_back(0, index(extent));
  const RDom r(ranges, "r");
  // The tap r of which window, if of any, falls on the element.
  Expr row = vars[1], column = 0, is_hit;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Expr tap = r[static_cast<int>(i)];
    const std::int64_t begin = pads[i], end = pads[i + block.size()];
    const Size windows = quotient(y[i + 2] + begin + end - (block[i] - 1) * dilations[i] - 1, strides[i]) + 1;
    const Expr offset = shifted(vars[i + 2], begin) - scaled(tap, dilations[i]);
    const Expr window = divided(offset, strides[i]);
    Expr is_window = 0 <= window && window < index(windows);
    if (strides[i] > 1) is_window = is_window && offset % index(strides[i]) == 0;
    is_hit = is_hit.defined() ? is_hit && is_window : is_window;
    row = scaled(row, block[i]) + tap;
    column = (i == 0 ? Expr(0) : scaled(column, windows)) + clamp(window, 0, index(windows - 1));
  }
  Func sum(operands.name + "_sum");
  const Expr tap = accumulated(read(operands, 0, {vars[0], row, column}));
  sum(vars) += select(is_hit, tap, constant(tap.type(), 0));
  return {output(operands, vars, sum(vars))};
}

}  // namespace tensordsl::ops::definitions
