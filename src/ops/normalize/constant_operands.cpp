#include "ops/normalize/rules.h"

namespace tensordsl::normalize {

std::vector<Node> dropout(NodeContext& context, Node node) {
  if (!node.input(2).empty() && constant_scalar(context, node, 2, "training_mode") != 0) {
    refuse(node, "training_mode = 1 is not supported; supported: 0 (inference)");
  }
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> cast(NodeContext&, Node node) {
  node.attributes.erase("saturate");
  return {std::move(node)};
}

std::vector<Node> reshape(NodeContext& context, Node node) {
  node.attributes.set("shape", size_operand(context, node, 1, "shape"));
  node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> axes_operand(NodeContext& context, Node node) {
  if (!node.input(1).empty()) node.attributes.set("axes", constant_ints(context, node, 1, "axes"));
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> pow(NodeContext& context, Node node) {
  const Type base = data_info(context, node).type;
  const Buffer* exponent = context.constant(node.input(1));
  if (exponent && exponent->type() != base) {
    const std::string converted = context.fresh_tensor(node.outputs[0] + ".exponent");
    context.add_constant(converted, exponent->converted(base));
    node.inputs[1] = converted;
  }
  return {std::move(node)};
}

}  // namespace tensordsl::normalize
