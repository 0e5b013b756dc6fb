#include <fmt/format.h>

#include <cmath>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

/// Returns a Reshape that appends `trailing` dimensions of 1 to input 1, and the node after it.
std::vector<Node> with_trailing_dimensions(NodeContext& context, Node node, std::size_t trailing) {
  Shape shape = context.info(node.inputs[1]).shape;
  shape.insert(shape.end(), trailing, 1);
  Node aligned{node.name + ".aligned",
               "Reshape",
               {node.inputs[1]},
               {context.fresh_tensor(node.outputs[0] + ".aligned")},
               {}};
  aligned.attributes.set("shape", Sizes(shape));
  node.inputs[1] = aligned.outputs[0];
  return {std::move(aligned), std::move(node)};
}

bool is_whole(const Buffer& numbers) {
  for (std::int64_t i = 0; i < numbers.elements(); ++i) {
    if (numbers.get(i) != std::floor(numbers.get(i))) return false;
  }
  return true;
}

}  // namespace

std::vector<Node> binary(NodeContext& context, Node node) {
  if (context.opset() >= 7) return {std::move(node)};
  const bool has_axis = node.attributes.has("axis");
  const std::int64_t given = node.attributes.get<std::int64_t>("axis", 0);
  node.attributes.erase("axis");
  node.attributes.erase("broadcast");
  if (!has_axis || node.input(1).empty()) return {std::move(node)};
  const auto rank = static_cast<std::int64_t>(data_info(context, node).shape.size());
  const Shape& second = context.info(node.inputs[1]).shape;
  const std::int64_t trailing =
      rank - (given < 0 ? given + rank : given) - static_cast<std::int64_t>(second.size());
  if (trailing < 0 || trailing > rank) {
    refuse(node, fmt::format("axis {} does not fit an input 1 {} to an input 0 of {} dimensions", given,
                             to_string(second), rank));
  }
  if (trailing == 0) return {std::move(node)};
  return with_trailing_dimensions(context, std::move(node), static_cast<std::size_t>(trailing));
}

std::vector<Node> prelu(NodeContext& context, Node node) {
  const std::size_t rank = data_info(context, node).shape.size();
  if (context.opset() >= 7 || node.input(1).empty()) return {std::move(node)};
  const Shape& slope = context.info(node.inputs[1]).shape;
  if (slope.size() != 1 || slope[0] == Size(1) || rank <= 2) return {std::move(node)};
  return with_trailing_dimensions(context, std::move(node), rank - 2);
}

std::vector<Node> pow(NodeContext& context, Node node) {
  const Type base = data_info(context, node).type;
  const Buffer* exponent = context.constant(node.input(1));
  if (exponent && exponent->type() != base && !base.is_bool() && (base.is_float() || is_whole(*exponent))) {
    const std::string converted = context.fresh_tensor(node.outputs[0] + ".exponent");
    context.add_constant(converted, exponent->converted(base));
    node.inputs[1] = converted;
  }
  return binary(context, std::move(node));
}

}  // namespace tensordsl::ops::normalize
