#include <fmt/format.h>

#include "ops/normalize/rules.h"

namespace tensordsl::normalize {

std::vector<Node> variadic(NodeContext& context, Node node) {
  if (node.inputs.size() == 1) node.op = "Identity";
  if (node.inputs.size() <= 2) return {std::move(node)};
  std::vector<Node> steps;
  std::string value = node.inputs[0];
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const bool last = i + 1 == node.inputs.size();
    const std::string result =
        last ? node.outputs[0] : context.fresh_tensor(fmt::format("{}.partial{}", node.outputs[0], i));
    steps.push_back({node.name, node.op, {value, node.inputs[i]}, {result}, {}});
    value = result;
  }
  return steps;
}

}  // namespace tensordsl::normalize
