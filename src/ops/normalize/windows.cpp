#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

std::vector<Node> affine_grid(NodeContext& context, Node node) {
  node.attributes.set("size", size_operand(context, node, 1, "size"));
  node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> max_unpool(NodeContext& context, Node node) {
  if (!node.input(2).empty())
    node.attributes.set("output_shape", size_operand(context, node, 2, "output shape"));
  if (node.inputs.size() > 2) node.inputs.resize(2);
  return {std::move(node)};
}

std::vector<Node> roi_align(NodeContext& context, Node node) {
  if (context.opset() < 16)
    node.attributes.set("coordinate_transformation_mode", std::string("output_half_pixel"));
  return {std::move(node)};
}

}  // namespace tensordsl::ops::normalize
