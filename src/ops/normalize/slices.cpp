#include <fmt/format.h>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

std::vector<Node> slice(NodeContext& context, Node node) {
  node.attributes.erase("placed");
  if (!node.input(1).empty()) {
    node.attributes.set("starts", size_operand(context, node, 1, "starts"));
    node.attributes.set("ends", size_operand(context, node, 2, "ends"));
    if (!node.input(3).empty()) node.attributes.set("axes", constant_ints(context, node, 3, "axes"));
    if (!node.input(4).empty()) node.attributes.set("steps", constant_ints(context, node, 4, "steps"));
  }
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> split(NodeContext& context, Node node) {
  if (!node.input(1).empty())
    node.attributes.set("split", size_operand(context, node, 1, "split", node.outputs.size()));
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> tile(NodeContext& context, Node node) {
  node.attributes.set("repeats", size_operand(context, node, 1, "repeats"));
  node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> gather(NodeContext& context, Node node) {
  const Buffer* indices = context.constant(node.input(1));
  if (!indices || indices->type().is_float() || indices->elements() != 1 || indices->shape().size() > 1)
    return {std::move(node)};
  const TensorInfo& x = data_info(context, node);
  const std::size_t axis =
      axis_from_start(node, node.attributes.get<std::int64_t>("axis", 0), x.shape.size());
  const std::int64_t place = indices->get_int(0);
  const Size& extent = x.shape[axis];
  if (is_less(place, extent) == false || is_less(place, Size(0) - extent) == true) {
    refuse(node, fmt::format("the index {} is outside dimension {} of {}", place, axis, to_string(x.shape)));
  }
  // A slice of a counted dimension is as long as there are elements.
  if (extent.has_count()) return {std::move(node)};
  const Ints axes{static_cast<std::int64_t>(axis)};
  Node part = step_of(context, node, "slice", "Slice", {node.input(0)});
  // An index that is outside is an error at the launch, and not clamped.
  const Size start = place < 0 ? extent + place : Size(place);
  part.attributes.set("starts", Sizes{start});
  part.attributes.set("ends", Sizes{start + 1});
  part.attributes.set("axes", axes);
  part.attributes.set("placed", std::int64_t{1});
  if (indices->shape().size() == 1) {
    part.outputs = node.outputs;
    return {std::move(part)};
  }
  Node result{node.name, "Squeeze", part.outputs, node.outputs, {}};
  result.attributes.set("axes", axes);
  return {std::move(part), std::move(result)};
}

std::vector<Node> one_hot(NodeContext& context, Node node) {
  if (node.inputs.size() != 3)
    refuse(node, fmt::format("{} inputs are given; it takes 3", node.inputs.size()));
  const auto depth = context.sizes(node.input(1))
                         ? size_scalar(context, node, 1, "depth")
                         : Size(static_cast<std::int64_t>(constant_scalar(context, node, 1, "depth")));
  node.attributes.set("depth", Sizes{depth});
  node.inputs = {node.input(0), node.input(2)};
  return {std::move(node)};
}

std::vector<Node> trilu(NodeContext& context, Node node) {
  if (!node.input(1).empty()) {
    Size k = size_scalar(context, node, 1, "k");
    // A distance at which no matrix has a diagonal.
    constexpr std::int64_t kFar = std::int64_t{1} << 30;
    if (k.is_known()) k = min(max(k, -kFar), kFar);
    node.attributes.set("k", Sizes{k});
  }
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> top_k(NodeContext& context, Node node) {
  node.attributes.set("k", context.opset() >= 10 ? Sizes{size_scalar(context, node, 1, "k")}
                                                 : Sizes{node.attributes.get<std::int64_t>("k")});
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return top_k_by_keys(context, std::move(node));
}

std::vector<Node> scatter(NodeContext&, Node node) {
  node.op = "ScatterElements";
  return {std::move(node)};
}

std::vector<Node> col2im(NodeContext& context, Node node) {
  node.attributes.set("image_shape", size_operand(context, node, 1, "image_shape"));
  node.attributes.set("block_shape", constant_ints(context, node, 2, "block_shape"));
  node.inputs.resize(1);
  return {std::move(node)};
}

}  // namespace tensordsl::ops::normalize
