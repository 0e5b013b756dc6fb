#include "ops/shapes/inferred_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::ops {

void InferredNode::need(const OperatorCall& call, NeededElements elements) {
  const Size& extent = call.input(elements.input).shape[elements.dimension];
  if (is_less(elements.begin, 0) == true || is_less(extent, elements.end) == true) {
    throw ShapeError(fmt::format("the elements [{}, {}) of dimension {} of input {} are needed, but it is {}",
                                 to_string(elements.begin), to_string(elements.end), elements.dimension,
                                 elements.input, to_string(call.input(elements.input))));
  }
  const bool are_there =
      elements.begin.is_at_least_if_empty(0) && (extent - elements.end).is_at_least_if_empty(0);
  const bool are_some = is_less(elements.begin, elements.end) != false;
  if (!are_there && are_some) needed.push_back(std::move(elements));
}

std::int64_t normal_axis(std::int64_t axis, std::size_t rank) {
  const auto dims = static_cast<std::int64_t>(rank);
  if (axis < -dims || axis >= dims) {
    throw ShapeError(fmt::format("axis {} is outside a tensor of {} dimensions", axis, rank));
  }
  return axis < 0 ? axis + dims : axis;
}

Ints normal_axes(Ints axes, std::size_t rank) {
  if (axes.size() > kMaxRank) {
    throw ShapeError(fmt::format("attribute axes has {} values; supported: {}", axes.size(), kMaxRank));
  }
  for (std::int64_t& axis : axes) axis = normal_axis(axis, rank);
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) != axes.end()) {
    throw ShapeError(fmt::format("attribute axes = {} names a dimension twice", to_string(axes)));
  }
  return axes;
}

std::int64_t read_flag(const Attributes& attributes, const char* name, std::int64_t fallback) {
  const std::int64_t value = attributes.get<std::int64_t>(name, fallback);
  if (value != 0 && value != 1) {
    throw ModelError(fmt::format("attribute {} = {} is not supported; supported: 0, 1", name, value));
  }
  return value;
}

void require_float(const OperatorCall& call, std::size_t i) {
  if (!call.input(i).type.is_float()) {
    throw ModelError(fmt::format("input {} is {}; supported: f64, f32, f16", i, to_string(call.input(i))));
  }
}

void require_same_types(const OperatorCall& call) {
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.has_input(i) && call.input(i).type != call.input(0).type) {
      throw ModelError(fmt::format("inputs 0 and {} are {} and {}; their types must be the same", i,
                                   to_string(call.input(0)), to_string(call.input(i))));
    }
  }
}

}  // namespace tensordsl::ops
