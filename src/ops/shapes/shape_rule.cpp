#include "ops/shapes/shape_rule.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl {

std::int64_t normal_axis(std::int64_t axis, std::size_t rank) {
  const auto dims = static_cast<std::int64_t>(rank);
  if (axis < -dims || axis >= dims) {
    throw ShapeError(fmt::format("axis {} is outside a tensor of {} dimensions", axis, rank));
  }
  return axis < 0 ? axis + dims : axis;
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

}  // namespace tensordsl
