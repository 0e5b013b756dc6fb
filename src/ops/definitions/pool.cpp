#include <limits>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"
#include "ops/definitions/window_axis.h"

namespace tensordsl::definitions {
namespace {

/// The element of `x` that tap r of the window at `vars` reads.
Expr tap(const Func& x, const std::vector<WindowAxis>& axes, const std::vector<Var>& vars, const RDom& r) {
  std::vector<Expr> at{vars[0], vars[1]};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    at.push_back(axes[i].element(vars[i + 2], r[static_cast<int>(i)]));
  }
  return accumulated(x(at));
}

/// How many elements the average of the window at `vars` is over, in the type of the sum.
Expr element_count(const OperatorOperands& operands, const std::vector<WindowAxis>& axes,
                   const std::vector<Var>& vars) {
  const bool include_pad = operands.attributes.get<std::int64_t>("count_include_pad") != 0;
  std::int64_t fixed = 1;
  Expr varying;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const WindowAxis& axis = axes[i];
    const std::int64_t low = include_pad ? -axis.begin : 0;
    const Size high = include_pad ? axis.in + axis.end : axis.in;
    if (axis.first() >= low && !axis.may_pass(high)) {
      fixed *= axis.kernel;
      continue;
    }
    Expr count = axis.taps_within(vars[i + 2], low, high);
    // A dilated window may step over the input: its sum is 0, and so is the average.
    if (axis.dilation > 1) count = max(count, 1);
    varying = varying.defined() ? varying * count : count;
  }
  const Type type = operands.infos[0].type == Float(64) ? Float(64) : Float(32);
  return varying.defined() ? cast(type, scaled(varying, fixed)) : Expr(static_cast<double>(fixed));
}

}  // namespace

std::vector<Func> average_pool(const OperatorOperands& operands) {
  const std::vector<WindowAxis> axes = window_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const Func x = extended_input(operands, axes, 0);
  Func sum(operands.name + "_sum");
  sum(vars) += tap(x, axes, vars, RDom(tap_ranges(axes), "r"));
  return {output(operands, vars, sum(vars) / element_count(operands, axes, vars))};
}

std::vector<Func> max_pool(const OperatorOperands& operands) {
  const std::vector<WindowAxis> axes = window_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const Expr lowest = constant(operands.input(0).type(), -std::numeric_limits<double>::infinity());
  const Func x = extended_input(operands, axes, lowest);
  Func max(operands.name + "_max");
  max(vars).maximize(tap(x, axes, vars, RDom(tap_ranges(axes), "r")));
  return {output(operands, vars, max(vars))};
}

}  // namespace tensordsl::definitions
