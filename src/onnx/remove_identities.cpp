#include "onnx/remove_identities.h"

#include <algorithm>
#include <map>

#include "ops/shapes/windows.h"

namespace tensordsl {
namespace {

using Ints = std::vector<std::int64_t>;

bool all_equal(const Ints& list, std::int64_t value) {
  return std::ranges::all_of(list, [=](std::int64_t entry) { return entry == value; });
}

/// Whether the output of `node` is element for element its first input.
bool gives_back_input(const Graph& graph, const Node& node) {
  const std::string& op = node.op;
  const Attributes& attributes = node.attributes;
  if (op == "Identity" || op == "Dropout") return true;
  if (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze") {
    return graph.info(node.inputs[0]).shape == graph.info(node.outputs[0]).shape;
  }
  if (op == "Transpose") return std::ranges::is_sorted(attributes.get<Ints>("perm"));
  if (op == "Pad") return all_equal(attributes.get<Ints>("pads"), 0);
  if (op == "Concat") return node.inputs.size() == 1;
  if (op == "Clip") return !attributes.has("min") && !attributes.has("max");
  if (op == "AveragePool" || op == "MaxPool") {
    const Window window = Window::of(attributes);
    return all_equal(window.kernel, 1) && all_equal(window.strides, 1) && all_equal(window.pads, 0);
  }
  return false;
}

void replace(std::vector<std::string>& names, const std::string& from, const std::string& to) {
  std::ranges::replace(names, from, to);
}

/// Lets the node that makes `tensor` make `output` instead; false if no node makes it or it is itself an
/// output.
bool rename_product(Graph& graph, const std::string& tensor, const std::string& output) {
  if (graph.is_output(tensor) || graph.is_input(tensor) || graph.is_constant(tensor)) return false;
  for (Node& node : graph.nodes) {
    replace(node.inputs, tensor, output);
    replace(node.outputs, tensor, output);
  }
  graph.tensors.erase(tensor);
  return true;
}

}  // namespace

void remove_identities(Graph& graph) {
  std::map<std::string, std::string> source;  // of each tensor that is no longer made
  std::vector<Node> old = std::move(graph.nodes);
  graph.nodes.clear();
  for (Node& node : old) {
    for (std::string& input : node.inputs) {
      if (const auto found = source.find(input); found != source.end()) input = found->second;
    }
    if (!gives_back_input(graph, node)) {
      graph.nodes.push_back(std::move(node));
      continue;
    }
    const std::string from = node.inputs[0], to = node.outputs[0];
    if (!graph.is_output(to)) {
      source[to] = from;
      graph.tensors.erase(to);
    } else if (rename_product(graph, from, to)) {
      for (auto& [gone, kept] : source) {
        if (kept == from) kept = to;
      }
      source[from] = to;
    } else {
      graph.nodes.push_back(std::move(node));
    }
  }
}

}  // namespace tensordsl
