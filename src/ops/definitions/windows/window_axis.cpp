#include "ops/definitions/windows/window_axis.h"

#include <algorithm>

#include "ops/definitions/building_blocks.h"
#include "ops/shapes/windows.h"
#include "tensordsl/boundary.h"

namespace tensordsl::ops::definitions {

Expr WindowAxis::element(const Expr& window, const Expr& tap) const {
  return shifted(scaled(window, stride) + scaled(tap, dilation), -begin);
}

Expr WindowAxis::taps_within(const Expr& window, std::int64_t low, const Size& high) const {
  const Expr start = shifted(scaled(window, stride), -begin);
  // The ceiling of (bound - start) / dilation.
  const auto taps_before = [&](const Size& bound) {
    return divided(shifted(index(bound) - start, dilation - 1), dilation);
  };
  const Expr upper = may_pass(high) ? min(taps_before(high), index(kernel)) : index(kernel);
  return first() < low ? upper - max(taps_before(low), 0) : upper;
}

std::vector<WindowAxis> window_axes(const OperatorOperands& operands) {
  const Window window = Window::of(operands.attributes);
  std::vector<WindowAxis> axes;
  for (std::size_t i = 0; i < window.rank(); ++i) {
    axes.push_back({operands.infos[0].shape[i + 2], operands.output().shape[i + 2], window.kernel[i],
                    window.strides[i], window.dilations[i], window.pads[i], window.pads[i + window.rank()]});
  }
  return axes;
}

std::vector<std::pair<Expr, Expr>> tap_ranges(const std::vector<WindowAxis>& axes) {
  std::vector<std::pair<Expr, Expr>> ranges;
  for (const WindowAxis& axis : axes) ranges.emplace_back(0, index(axis.kernel));
  return ranges;
}

Func extended_input(const OperatorOperands& operands, const std::vector<WindowAxis>& axes,
                    const Expr& value) {
  if (std::ranges::none_of(axes, &WindowAxis::leaves_input)) return operands.input(0);
  std::vector<Expr> extents(2);
  for (const WindowAxis& axis : axes) extents.push_back(axis.leaves_input() ? index(axis.in) : Expr());
  return BoundaryConditions::constant(operands.input(0), value, extents, operands.name + "_padded");
}

}  // namespace tensordsl::ops::definitions
