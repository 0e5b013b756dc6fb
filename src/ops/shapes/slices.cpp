#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/assumed_sizes.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

/// A limit above every extent: larger values mean the end of the dimension.
constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();

/// True for the ends by which files say "to the end", forward and backward. For steps below 0 ONNX asks for
/// INT64_MIN; ONNX Runtime takes these, too.
bool is_open_end(const Size& end) {
  return end.is_known() && (end.value() == kFar || end.value() == std::numeric_limits<std::int64_t>::max());
}

/// Returns 1 where `size` is negative, else 0.
Size is_negative(const Size& size) { return min(max(Size(0) - size, 0), 1); }

/// Returns the index that `given`, a start or an end of ONNX's Slice, means in a dimension of `extent`
/// elements: counted from the end if it is negative, and clamped to [low, high].
Size clamped_place(const Size& given, const Size& extent, const Size& low, const Size& high) {
  if (given.is_known() && given.value() >= kFar) return high;
  if (given.is_known() && given.value() <= -kFar) return low;
  const Size place = given + extent * is_negative(given);
  // If there are no elements, high is below low, and the slice is empty.
  return place == high ? high : min(max(place, low), high);
}

}  // namespace

InferredNode slice(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const Sizes given_starts = call.attributes.sizes("starts"), given_ends = call.attributes.sizes("ends");
  Ints given_axes(given_starts.size());
  for (std::size_t i = 0; i < given_axes.size(); ++i) given_axes[i] = static_cast<std::int64_t>(i);
  given_axes = call.attributes.get<Ints>("axes", given_axes);
  // Inference replaces starts and ends by positions, which are not clamped again.
  const bool is_placed = call.attributes.get<std::int64_t>("placed", 0) != 0;
  const Ints given_steps = call.attributes.get<Ints>("steps", Ints(given_axes.size(), 1));
  if (given_ends.size() != given_starts.size() || given_axes.size() != given_starts.size() ||
      given_steps.size() != given_starts.size()) {
    throw ShapeError(fmt::format("starts = {}, ends = {}, axes = {} and steps = {} must have the same length",
                                 to_string(given_starts), to_string(given_ends), to_string(given_axes),
                                 to_string(given_steps)));
  }

  Sizes starts(x.size(), 0), ends(x.begin(), x.end());
  Ints steps(x.size(), 1), axes(x.size(), -1);
  Shape shape = x;
  for (std::size_t i = 0; i < given_axes.size(); ++i) {
    const auto d = static_cast<std::size_t>(normal_axis(given_axes[i], x.size()));
    if (axes[d] >= 0)
      throw ShapeError(fmt::format("attribute axes = {} names a dimension twice", to_string(given_axes)));
    axes[d] = static_cast<std::int64_t>(d);
    const std::int64_t step = std::clamp(given_steps[i], -kFar, kFar);
    if (step == 0) throw ShapeError(fmt::format("steps = {} has a step of 0", to_string(given_steps)));
    const bool is_forward = step > 0;
    const Size first = is_forward ? 0 : -1, last = is_forward ? x[d] : x[d] - 1;
    starts[d] = is_placed ? given_starts[i] : clamped_place(given_starts[i], x[d], 0, last);
    if (is_placed) {
      ends[d] = given_ends[i];
    } else if (is_open_end(given_ends[i])) {
      ends[d] = is_forward ? last : first;
    } else {
      ends[d] = clamped_place(given_ends[i], x[d], first, last);
    }
    const Size length = max(is_forward ? ends[d] - starts[d] : starts[d] - ends[d], 0);
    shape[d] =
        std::abs(step) == kFar ? min(length, 1) : quotient(length + std::abs(step) - 1, std::abs(step));
    steps[d] = step;
  }
  for (std::size_t d = 0; d < axes.size(); ++d) axes[d] = static_cast<std::int64_t>(d);

  InferredNode result{call.input(0).type, std::move(shape), {}};
  result.attributes.set("starts", std::move(starts));
  result.attributes.set("ends", std::move(ends));
  result.attributes.set("axes", std::move(axes));
  result.attributes.set("steps", std::move(steps));
  result.attributes.set("placed", std::int64_t{1});
  return result;
}

InferredNode split(const OperatorCall& call) {
  const TensorInfo& x = call.input(0);
  const std::int64_t axis = normal_axis(call.attributes.get<std::int64_t>("axis", 0), x.shape.size());
  const auto at = static_cast<std::size_t>(axis);
  const Size& extent = x.shape[at];
  Sizes parts;
  if (call.attributes.has("split")) {
    parts = call.attributes.sizes("split");
    Size total = 0;
    for (const Size& part : parts) total += part;
    if (is_equal(total, extent) != true) {
      refuse_unequal(fmt::format("split = {} does not fit the extent {} of dimension {} of {}",
                                 to_string(parts), to_string(extent), axis, to_string(x.shape)),
                     total, extent);
    }
  } else {
    const auto count = static_cast<std::int64_t>(call.outputs);
    const auto equal = exact_quotient(extent, count);
    if (!equal && !call.attributes.has("num_outputs")) {
      refuse_indivisible(fmt::format("dimension {} of {} cannot be split into {} equal parts", axis,
                                     to_string(x.shape), count),
                         extent, count);
    }
    const Size part = equal ? *equal : quotient(extent + count - 1, count);
    parts.assign(call.outputs, part);
    parts.back() = extent - part * (count - 1);
  }
  const std::int64_t wanted =
      call.attributes.get<std::int64_t>("num_outputs", static_cast<std::int64_t>(parts.size()));
  if (parts.size() != call.outputs || wanted != static_cast<std::int64_t>(call.outputs)) {
    throw ShapeError(
        fmt::format("the node has {} outputs, but the split has {}", call.outputs,
                    call.attributes.has("num_outputs") ? static_cast<std::size_t>(wanted) : parts.size()));
  }

  InferredNode result{x.type, {}, {}};
  result.outputs.clear();
  for (const Size& part : parts) {
    Shape shape = x.shape;
    shape[at] = part;
    result.outputs.push_back({x.type, std::move(shape)});
  }
  result.attributes.set("axis", axis);
  result.attributes.set("split", std::move(parts));
  return result;
}

}  // namespace tensordsl::ops::shapes
