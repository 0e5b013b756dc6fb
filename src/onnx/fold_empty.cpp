#include "onnx/fold_empty.h"

#include <algorithm>

namespace tensordsl {
namespace {

bool is_empty(const TensorInfo& tensor) { return is_empty(tensor.shape); }

}  // namespace

void replace_empty_inputs(Graph& graph, Node& node, std::set<std::string>& taken) {
  for (std::string& input : node.inputs) {
    if (!graph.is_input(input) || !is_empty(graph.info(input))) continue;
    std::string name = input + ".empty";
    while (!taken.insert(name).second) name += "_";
    const TensorInfo& info = graph.info(input);
    graph.add_constant(name, Buffer(info.type, known(info.shape)));
    input = name;
  }
}

bool fold_empty(Graph& graph, const Node& node) {
  const auto has_elements = [&](const std::string& output) {
    return !output.empty() && !is_empty(graph.info(output));
  };
  if (std::ranges::any_of(node.outputs, has_elements)) return false;
  for (const std::string& output : node.outputs) {
    if (output.empty()) continue;
    const TensorInfo info = graph.info(output);
    graph.add_constant(output, Buffer(info.type, known(info.shape)));
  }
  return true;
}

}  // namespace tensordsl
