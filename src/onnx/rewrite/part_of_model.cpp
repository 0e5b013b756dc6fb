#include "onnx/rewrite/part_of_model.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tensordsl::onnx {
namespace {

/// Adds the tensors that the node reads, also in its bodies: names of their own do no harm.
void add_reads(const ::onnx::NodeProto& node, std::set<std::string>& needed) {
  needed.insert(node.input().begin(), node.input().end());
  for (const auto& attribute : node.attribute()) {
    std::vector<const ::onnx::GraphProto*> bodies;
    if (attribute.has_g()) bodies.push_back(&attribute.g());
    for (const auto& graph : attribute.graphs()) bodies.push_back(&graph);
    for (const ::onnx::GraphProto* body : bodies) {
      for (const auto& inner : body->node()) add_reads(inner, needed);
      for (const auto& output : body->output()) needed.insert(output.name());
    }
  }
}

}  // namespace

std::optional<::onnx::ModelProto> part_for(const ::onnx::ModelProto& model, const std::string& tensor) {
  const ::onnx::GraphProto& graph = model.graph();
  std::set<std::string> needed{tensor};
  std::vector<bool> is_kept(static_cast<std::size_t>(graph.node_size()));
  // Nodes of a file may stand in any order.
  for (bool found = true; found;) {
    found = false;
    for (int i = graph.node_size(); i-- > 0;) {
      const auto& node = graph.node(i);
      const auto gives = [&](const std::string& output) {
        return !output.empty() && needed.contains(output);
      };
      if (is_kept[static_cast<std::size_t>(i)] || std::ranges::none_of(node.output(), gives)) continue;
      is_kept[static_cast<std::size_t>(i)] = found = true;
      add_reads(node, needed);
    }
  }
  if (std::ranges::none_of(is_kept, [](bool is) { return is; })) return std::nullopt;

  ::onnx::ModelProto part;
  part.set_ir_version(model.ir_version());
  *part.mutable_opset_import() = model.opset_import();
  *part.mutable_functions() = model.functions();
  ::onnx::GraphProto& kept = *part.mutable_graph();
  kept.set_name(graph.name());
  *kept.mutable_input() = graph.input();
  for (int i = 0; i < graph.node_size(); ++i)
    if (is_kept[static_cast<std::size_t>(i)]) *kept.add_node() = graph.node(i);
  // An initializer that is listed as an input would become an input without its value.
  std::set<std::string> inputs;
  for (const auto& input : graph.input()) inputs.insert(input.name());
  for (const auto& value : graph.initializer())
    if (needed.contains(value.name()) || inputs.contains(value.name())) *kept.add_initializer() = value;
  for (const auto& value : graph.sparse_initializer())
    if (needed.contains(value.values().name())) *kept.add_sparse_initializer() = value;
  kept.add_output()->set_name(tensor);
  return part;
}

}  // namespace tensordsl::onnx
