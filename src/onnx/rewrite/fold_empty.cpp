#include "onnx/rewrite/fold_empty.h"

#include <algorithm>

#include "ops/loop_marks.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;
using ops::TensorInfo;

bool is_empty(const TensorInfo& tensor) { return is_empty(tensor.shape); }

/// Defines the tensor, which has no elements, without its operands: [n,0] as ConstantOfShape.
void define_empty(Graph& graph, const std::string& node, const TensorInfo& info) {
  if (is_known(info.shape)) return graph.add_constant(info.name, Buffer(info.type, known(info.shape)));
  Node empty{node, "ConstantOfShape", {}, {info.name}, {}};
  empty.attributes.set("shape", ops::Sizes(info.shape));
  empty.attributes.set("value", Buffer(info.type, {1}));
  graph.nodes.push_back(std::move(empty));
  graph.tensors.insert_or_assign(info.name, info);
}

}  // namespace

void replace_empty_inputs(Graph& graph, Node& node, std::set<std::string>& taken) {
  for (std::string& input : node.inputs) {
    if (!graph.is_input(input) || !is_empty(graph.info(input))) continue;
    std::string name = input + ".empty";
    while (!taken.insert(name).second) name += "_";
    const TensorInfo& info = graph.info(input);
    define_empty(graph, node.name, {name, info.type, info.shape});
    if (const auto type = graph.element_types.find(input); type != graph.element_types.end())
      graph.element_types.emplace(name, type->second);
    input = name;
  }
}

bool fold_empty(Graph& graph, const Node& node) {
  const auto has_elements = [&](const std::string& output) {
    return !output.empty() && !is_empty(graph.info(output));
  };
  if (is_loop_mark(node) || std::ranges::any_of(node.outputs, has_elements)) return false;
  for (const std::string& output : node.outputs) {
    if (output.empty()) continue;
    const TensorInfo info = graph.info(output);
    define_empty(graph, node.name, info);
  }
  return true;
}

}  // namespace tensordsl::onnx
