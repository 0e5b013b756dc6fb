#include "ops/einsum_order.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

std::vector<Node> einsum(NodeContext& context, Node node) {
  // The shape rule has the errors of a node that has no equation, lacks an input or does not fit.
  std::vector<Shape> shapes;
  for (const std::string& input : node.inputs) {
    if (input.empty()) return {std::move(node)};
    shapes.push_back(context.info(input).shape);
  }
  if (!node.attributes.has("equation")) return {std::move(node)};
  const std::vector<EinsumStep> steps =
      einsum_steps(EinsumEquation(node.attributes.get<std::string>("equation"), shapes));
  if (steps.empty()) return {std::move(node)};

  Composition nodes(context, node);
  std::vector<std::string> tensors = node.inputs;
  for (const EinsumStep& step : steps) {
    std::vector<std::string> operands;
    for (const std::size_t operand : step.operands) operands.push_back(tensors[operand]);
    const std::string name = step.operands.size() == 1 ? "summed" : "product";
    tensors.push_back(nodes.add(name, "Einsum", operands, attributes_of({{"equation", step.equation}})));
  }
  nodes.give(0, tensors.back());
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize
