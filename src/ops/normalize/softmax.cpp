#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/inferred_node.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::normalize {

std::vector<Node> softmax(NodeContext& context, Node node) {
  if (context.opset() >= 13) return {std::move(node)};
  const Shape shape = data_info(context, node).shape;
  std::int64_t axis = node.attributes.get<std::int64_t>("axis", 1);
  try {
    axis = normal_axis(axis, shape.size());
  } catch (const ShapeError& error) {
    refuse(node, error.what());
  }
  node.attributes.set("axis", axis);
  if (axis + 1 == static_cast<std::int64_t>(shape.size())) return {std::move(node)};

  const auto product = [](auto begin, auto end) { return element_count(Shape(begin, end)); };
  Node flatten{
      node.name + ".flatten", "Reshape", node.inputs, {context.fresh_tensor(node.outputs[0] + ".flat")}, {}};
  flatten.attributes.set("shape", Sizes{product(shape.begin(), shape.begin() + axis),
                                        product(shape.begin() + axis, shape.end())});
  Node restore{node.name + ".restore",
               "Reshape",
               {context.fresh_tensor(node.outputs[0] + ".softmax")},
               node.outputs,
               {}};
  restore.attributes.set("shape", Sizes(shape));
  node.inputs = flatten.outputs;
  node.outputs = restore.inputs;
  node.attributes.set("axis", std::int64_t{1});
  return {std::move(flatten), std::move(node), std::move(restore)};
}

}  // namespace tensordsl::ops::normalize
