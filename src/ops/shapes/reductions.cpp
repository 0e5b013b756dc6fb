#include <fmt/format.h>

#include <algorithm>

#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

void require_reduced_number(const OperatorCall& call) {
  if (call.input(0).type.is_bool()) {
    throw ModelError(fmt::format("input 0 is {}; supported: all types but bool", to_string(call.input(0))));
  }
}

/// `x` without the axes, or with 1 in their place.
Shape reduced(const Shape& x, const Ints& axes, std::int64_t keepdims) {
  Shape shape;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const bool is_reduced = std::ranges::binary_search(axes, static_cast<std::int64_t>(d));
    if (!is_reduced || keepdims == 1) shape.push_back(is_reduced ? Size(1) : x[d]);
  }
  return shape;
}

}  // namespace

InferredNode reduce_extremum(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  Ints axes = normal_axes(call.attributes.get<Ints>("axes", {}), x.size());
  if (axes.empty() && read_flag(call.attributes, "noop_with_empty_axes") == 0) {
    for (std::size_t d = 0; d < x.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  }
  const std::int64_t keepdims = read_flag(call.attributes, "keepdims", 1);
  InferredNode result{call.input(0).type, reduced(x, axes, keepdims), {}};
  result.attributes.set("axes", axes);
  result.attributes.set("keepdims", keepdims);
  // The axes are complete now, so the flag says whether there are any.
  result.attributes.set("noop_with_empty_axes", std::int64_t{axes.empty()});
  return result;
}

InferredNode reduce(const OperatorCall& call) {
  require_reduced_number(call);
  return reduce_extremum(call);
}

InferredNode argument(const OperatorCall& call) {
  require_reduced_number(call);
  const Shape& x = call.input(0).shape;
  const std::int64_t axis = normal_axis(call.attributes.get<std::int64_t>("axis", 0), x.size());
  const std::int64_t keepdims = read_flag(call.attributes, "keepdims", 1);
  if (x[static_cast<std::size_t>(axis)] == Size(0))
    throw ShapeError(fmt::format("dimension {} of {} has no element to choose", axis, to_string(x)));
  InferredNode result{Int(64), reduced(x, {axis}, keepdims), {}};
  result.attributes.set("axis", axis);
  result.attributes.set("keepdims", keepdims);
  result.attributes.set("select_last_index", read_flag(call.attributes, "select_last_index"));
  return result;
}

InferredNode cum_sum(const OperatorCall& call) {
  require_reduced_number(call);
  InferredNode result{call.input(0).type, call.input(0).shape, {}};
  result.attributes.set("axis",
                        normal_axis(call.attributes.get<std::int64_t>("axis"), result.shape().size()));
  for (const char* name : {"exclusive", "reverse"})
    result.attributes.set(name, read_flag(call.attributes, name));
  return result;
}

}  // namespace tensordsl::ops::shapes
