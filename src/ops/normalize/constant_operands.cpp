#include "ops/element_types.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

std::vector<Node> dropout(NodeContext& context, Node node) {
  if (!node.input(2).empty() && constant_scalar(context, node, 2, "training_mode") != 0) {
    refuse(node, "training_mode = 1 is not supported; supported: 0 (inference)");
  }
  drop_is_test(context, node);
  if (node.inputs.size() > 1) node.inputs.resize(1);
  if (context.opset() >= 10 || node.outputs.size() < 2) return {std::move(node)};
  // Before opset 10 the mask is of the type of the data.
  Node mask{
      node.name + ".mask", "Cast", {context.fresh_tensor(node.outputs[1] + ".bool")}, {node.outputs[1]}, {}};
  mask.attributes.set("to", element_type_number(data_info(context, node).type));
  node.outputs[1] = mask.inputs[0];
  return {std::move(node), std::move(mask)};
}

std::vector<Node> shape_operand(NodeContext& context, Node node) {
  node.attributes.set("shape", size_operand(context, node, 1, "shape"));
  node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> axes_operand(NodeContext& context, Node node) {
  if (!node.input(1).empty()) node.attributes.set("axes", constant_ints(context, node, 1, "axes"));
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> cum_sum(NodeContext& context, Node node) {
  node.attributes.set("axis", static_cast<std::int64_t>(constant_scalar(context, node, 1, "axis")));
  node.inputs.resize(1);
  return {std::move(node)};
}

}  // namespace tensordsl::ops::normalize
