#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/element_types.h"
#include "ops/normalize/normalize_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::normalize {
namespace {

/// Returns `node` without inputs: their values are in its attributes.
std::vector<Node> without_inputs(Node node) {
  node.inputs.clear();
  return {std::move(node)};
}

/// Returns the number of steps of `delta` in `length`; the last one may be shorter.
Size steps_within(const Node& node, const Size& length, const Size& delta) {
  if (delta == Size(0)) refuse(node, "delta is 0");
  if (is_less(delta, 0) == true) return steps_within(node, Size(0) - length, Size(0) - delta);
  return is_less(length, 1) == true ? Size(0) : quotient(length + delta - 1, delta);
}

}  // namespace

std::vector<Node> shape(NodeContext& context, Node node) {
  const Shape shape = data_info(context, node).shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = [&](const char* name, std::int64_t fallback) {
    const std::int64_t given = node.attributes.get<std::int64_t>(name, fallback);
    return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
  };
  const std::int64_t start = place("start", 0), end = std::max(place("end", rank), start);
  node.attributes.erase("start");
  node.attributes.erase("end");
  node.attributes.set("sizes", Sizes(shape.begin() + start, shape.begin() + end));
  return without_inputs(std::move(node));
}

std::vector<Node> size(NodeContext& context, Node node) {
  node.attributes.set("sizes", Sizes{element_count(data_info(context, node).shape)});
  return without_inputs(std::move(node));
}

std::vector<Node> constant_of_shape(NodeContext& context, Node node) {
  node.attributes.set("shape", size_operand(context, node, 0, "shape"));
  if (!node.attributes.has("value")) node.attributes.set("value", Buffer(Float(32), {1}));
  return without_inputs(std::move(node));
}

std::vector<Node> range(NodeContext& context, Node node) {
  if (node.inputs.size() != 3)
    refuse(node, fmt::format("{} inputs are given; it takes 3", node.inputs.size()));
  const Type type = data_info(context, node).type;
  // Elements are computed in f32 at least; stash_type only applies to types of 16 bits.
  constexpr std::int64_t kHalf = 10, kBfloat16 = 16;
  const std::int64_t element = context.element_type(node.inputs[0]);
  if (const auto stash = node.attributes.get<std::int64_t>("stash_type", 1);
      stash != 1 && (element == kHalf || element == kBfloat16))
    refuse(node, fmt::format("attribute stash_type = {} is not supported; supported: 1 (FLOAT)", stash));
  node.attributes.erase("stash_type");
  const auto is_size = [&](std::size_t i) { return context.sizes(node.input(i)) != nullptr; };
  if (type.is_float() && !is_size(0) && !is_size(1) && !is_size(2)) {
    const double start = constant_scalar(context, node, 0, "start"),
                 limit = constant_scalar(context, node, 1, "limit");
    const double delta = constant_scalar(context, node, 2, "delta"),
                 steps = std::ceil((limit - start) / delta);
    if (delta == 0) refuse(node, "delta is 0");
    if (!(std::abs(steps) < 0x1p31))
      refuse(node, fmt::format("start = {}, limit = {} and delta = {} give no valid number of elements",
                               start, limit, delta));
    node.attributes.set("start", start);
    node.attributes.set("delta", delta);
    node.attributes.set("count", Sizes{static_cast<std::int64_t>(std::max(steps, 0.0))});
  } else {
    const auto number = [&](std::size_t i, const char* what) {
      if (!type.is_float() || is_size(i)) return size_scalar(context, node, i, what);
      const double value = constant_scalar(context, node, i, what);
      if (value != std::floor(value) || std::abs(value) > 0x1p31) {
        refuse(node,
               fmt::format(
                   "the {} {} together with symbolic dimensions is not supported; supported: whole numbers",
                   what, value));
      }
      return Size(static_cast<std::int64_t>(value));
    };
    const Size start = number(0, "start"), limit = number(1, "limit"), delta = number(2, "delta");
    node.attributes.set("start", Sizes{start});
    node.attributes.set("delta", Sizes{delta});
    node.attributes.set("count", Sizes{steps_within(node, limit - start, delta)});
  }
  node.attributes.set("dtype", element_type_number(type));
  return without_inputs(std::move(node));
}

std::vector<Node> eye_like(NodeContext& context, Node node) {
  const TensorInfo& x = data_info(context, node);
  node.attributes.set("shape", Sizes(x.shape));
  if (!node.attributes.has("dtype")) node.attributes.set("dtype", element_type_number(x.type));
  constexpr std::int64_t kFar = std::int64_t{1} << 30;
  node.attributes.set("k", std::clamp(node.attributes.get<std::int64_t>("k", 0), -kFar, kFar));
  return without_inputs(std::move(node));
}

}  // namespace tensordsl::ops::normalize
