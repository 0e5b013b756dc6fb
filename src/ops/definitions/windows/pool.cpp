#include <limits>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/windows/window_axis.h"

namespace tensordsl::ops::definitions {
namespace {

/// The element of `x` that tap r of the window at `vars` reads.
Expr tap(const Func& x, const std::vector<WindowAxis>& axes, const std::vector<Var>& vars, const RDom& r) {
  std::vector<Expr> at{vars[0], vars[1]};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    at.push_back(axes[i].element(vars[i + 2], r[static_cast<int>(i)]));
  }
  return accumulated(x(at));
}

/// NAME_sum, of the elements in each window.
Func sum_of_taps(const OperatorOperands& operands, const std::vector<WindowAxis>& axes,
                 const std::vector<Var>& vars) {
  const Func x = extended_input(operands, axes, 0);
  Func sum(operands.name + "_sum");
  sum(vars) += tap(x, axes, vars, RDom(tap_ranges(axes), "r"));
  return sum;
}

/// Returns the number of elements in the average of the window at `vars`, in the type of the sum.
Expr averaged_elements(const OperatorOperands& operands, const std::vector<WindowAxis>& axes,
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
  return {output(operands, vars,
                 sum_of_taps(operands, axes, vars)(vars) / averaged_elements(operands, axes, vars))};
}

std::vector<Func> whole_average_pool(const OperatorOperands& operands) {
  const std::vector<WindowAxis> axes = window_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);
  std::int64_t taps = 1;
  for (const WindowAxis& axis : axes) taps *= axis.kernel;
  return {output(operands, vars, sum_of_taps(operands, axes, vars)(vars) / static_cast<double>(taps))};
}

std::vector<Func> lp_pool(const OperatorOperands& operands) {
  const std::vector<WindowAxis> axes = window_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const Func x = extended_input(operands, axes, 0);
  const auto p = operands.attributes.get<std::int64_t>("p");
  Func sum(operands.name + "_sum");
  sum(vars) += norm_power(tap(x, axes, vars, RDom(tap_ranges(axes), "r")), p);
  return {output(operands, vars, norm_root(sum(vars), p))};
}

namespace {

/// The index in its channel, counted by rows, of the first element that equals `max`.
Func first_of_largest(const OperatorOperands& operands, const std::vector<WindowAxis>& axes,
                      const std::vector<Var>& vars, const Func& x, const Func& max) {
  RDom r(tap_ranges(axes), "r");
  Expr place = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Expr element = axes[i].element(vars[i + 2], r[static_cast<int>(i)]);
    if (axes[i].leaves_input()) r.where(element >= 0 && element < index(axes[i].in));
    place = i == 0 ? element : scaled(place, axes[i].in) + element;
  }
  constexpr int kNone = std::numeric_limits<int>::max();
  Func first(operands.name + "_first");
  const Expr element = tap(x, axes, vars, r);
  first(vars).minimize(select(element == max(vars) || is_nan(element), place, kNone));
  return first;
}

/// Returns the index in column-major order.
Expr by_columns(const Expr& place, const std::vector<WindowAxis>& axes) {
  Expr result = 0, rows = place;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Expr element = i == 0 ? rows : rows % index(axes[i].in);
    rows = divided(rows, axes[i].in);
    Size below = 1;
    for (std::size_t k = 0; k < i; ++k) below *= axes[k].in;
    result = result + scaled(element, below);
  }
  return result;
}

}  // namespace

std::vector<Func> max_pool(const OperatorOperands& operands) {
  const std::vector<WindowAxis> axes = window_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const Expr lowest = constant(operands.input(0).type(), -std::numeric_limits<double>::infinity());
  const Func x = extended_input(operands, axes, lowest);
  Func max(operands.name + "_max");
  max(vars).maximize(tap(x, axes, vars, RDom(tap_ranges(axes), "r")));
  std::vector<Func> results{output(operands, vars, max(vars))};
  if (operands.outputs.size() > 1) {
    const Shape& shape = operands.infos[0].shape;
    const Func first = first_of_largest(operands, axes, vars, x, max);
    const Size elements = element_count(Shape(shape.begin() + 2, shape.end()));
    // A window over nothing but the padding has none.
    Expr place = min(first(vars), index(elements - 1));
    if (operands.attributes.get<std::int64_t>("storage_order") == 1) place = by_columns(place, axes);
    const Expr channel = cast(Int(64), vars[0]) * number(Int(64), shape[1]) + cast(Int(64), vars[1]);
    Func indices(operands.name + "_indices");
    indices(vars) = channel * number(Int(64), elements) + cast(Int(64), place);
    results.push_back(indices);
  }
  return results;
}

}  // namespace tensordsl::ops::definitions
