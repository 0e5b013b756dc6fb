#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/products/products.h"
#include "ops/definitions/windows/window_axis.h"

namespace tensordsl::ops::definitions {

Expr less_zero(const Expr& value, const Expr& zero) {
  return zero.defined() ? accumulated(value) - accumulated(zero) : accumulated(value);
}

Func conv_sum(const OperatorOperands& operands, const std::vector<Var>& vars, std::size_t weights,
              const Expr& border, const Expr& input_zero, const Expr& weights_zero) {
  const Ints w = known(operands.infos[weights].shape);
  const std::int64_t groups = operands.attributes.get<std::int64_t>("group");
  const std::int64_t inputs_per_group = w[1], outputs_per_group = w[0] / groups;
  const bool depthwise = groups > 1 && inputs_per_group == 1 && outputs_per_group == 1;
  const std::vector<WindowAxis> axes = window_axes(operands);

  auto ranges = tap_ranges(axes);
  if (!depthwise) ranges.emplace_back(0, index(inputs_per_group));
  const RDom r(ranges, "r");

  Expr in_channel = vars[1], channel_in_group = 0;
  if (!depthwise) {
    channel_in_group = r.axes().back();
    in_channel = channel_in_group;
    if (groups > 1)
      in_channel = scaled(divided(vars[1], outputs_per_group), inputs_per_group) + channel_in_group;
  }

  std::vector<Expr> at{vars[0], in_channel}, weight_at{vars[1], channel_in_group};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Expr tap = r[static_cast<int>(i)];
    at.push_back(axes[i].element(vars[i + 2], tap));
    weight_at.push_back(tap);
  }

  const Func x = extended_input(operands, axes, border);
  Func sum(operands.name + "_sum");
  sum(vars) += less_zero(x(at), input_zero) * less_zero(read(operands, weights, weight_at), weights_zero);
  return sum;
}

std::vector<Func> conv(const OperatorOperands& operands) {
  const std::vector<Var> vars = image_vars(operands.output().shape);
  Expr value = conv_sum(operands, vars, 1, 0, {}, {})(vars);
  if (operands.has_input(2)) value = value + read(operands, 2, {vars[1]});
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
