#include "model/node_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using definitions::DefinitionGraph;

using Fate = NodeOutput::Fate;

NodeOutput described(const std::string& name, Fate fate, const std::string& op, const std::string& node) {
  NodeOutput output;
  output.name = name;
  output.fate = fate;
  output.op = op;
  output.node = node;
  return output;
}

}  // namespace

std::set<std::string> needed_tensors(const onnx::Graph& graph) {
  std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const auto is_needed = [&](const std::string& output) { return needed.contains(output); };
    if (std::ranges::any_of(node->outputs, is_needed))
      needed.insert(node->inputs.begin(), node->inputs.end());
  }
  return needed;
}

std::vector<NodeOutput> describe_node_outputs(const onnx::Graph& graph, const std::set<std::string>& needed) {
  std::vector<NodeOutput> outputs;
  for (const onnx::FileTensor& tensor : graph.file_tensors) {
    if (graph.is_constant(tensor.name) && needed.contains(tensor.name))
      outputs.push_back(described(tensor.name, Fate::Constant, tensor.op, tensor.node));
  }
  std::set<std::string> there;
  for (const ops::Node& node : graph.nodes) {
    for (const std::string& name : node.outputs) {
      if (name.empty()) continue;
      there.insert(name);
      outputs.push_back(described(name, Fate::Computed, node.op, node.name));
      outputs.back().text = to_string(graph, node);
    }
  }
  for (const NodeOutput& constant : outputs) there.insert(constant.name);
  for (const onnx::FileTensor& tensor : graph.file_tensors) {
    if (there.contains(tensor.name)) continue;
    const Fate fate = needed.contains(tensor.name) ? Fate::Merged : Fate::Unused;
    outputs.push_back(described(tensor.name, fate, tensor.op, tensor.node));
  }
  return outputs;
}

void complete_node_outputs(std::vector<NodeOutput>& outputs, const DefinitionGraph& graph) {
  std::map<std::string, const definitions::DefinedTensor*> tensors;
  for (const definitions::DefinedTensor& tensor : graph.tensors) tensors.emplace(tensor.name, &tensor);
  for (NodeOutput& output : outputs) {
    const auto found = tensors.find(output.name);
    if (found == tensors.end()) {
      if (output.fate != Fate::Merged) output.fate = Fate::Unused;
      continue;
    }
    // After the loop its memory holds the value of the step before.
    const auto place = static_cast<std::size_t>(found->second - graph.tensors.data());
    if (graph.is_handed_on(place)) output.fate = Fate::Unused;
    output.type = found->second->type();
    output.shape = found->second->shape;
    output.value = found->second->constant;
  }
  std::ranges::stable_sort(outputs, {}, [](const NodeOutput& output) {
    return output.fate == Fate::Constant ? 0 : output.fate == Fate::Computed ? 1 : 2;
  });
}

DefinitionGraph with_outputs(DefinitionGraph graph, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> tensors;
  std::map<std::string, std::optional<Type>> types;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!graph.tensors[i].constant) tensors.emplace(graph.tensors[i].name, i);
  }
  for (const auto& output : graph.outputs) {
    types.emplace(output.name, output.read_as);
    tensors.insert_or_assign(output.name, output.tensor);  // a picture and the output that it is made of are
                                                           // two tensors
  }
  std::vector<DefinitionGraph::Output> outputs;
  for (const std::string& name : names) {
    if (!tensors.contains(name)) {
      throw Error(fmt::format(
          "with_outputs: the model computes no tensor \"{}\"; Model::node_outputs lists its tensors", name));
    }
    const bool is_listed = std::ranges::any_of(
        outputs, [&](const DefinitionGraph::Output& output) { return output.name == name; });
    if (is_listed) throw Error(fmt::format("with_outputs: \"{}\" is listed twice; list it once", name));
    outputs.push_back({name, tensors.at(name), types.contains(name) ? types.at(name) : std::nullopt});
  }
  std::erase_if(graph.states, [&](DefinitionGraph::State& fate) {
    const auto kept =
        std::ranges::find(outputs, graph.outputs[fate.output].name, &DefinitionGraph::Output::name);
    fate.output = static_cast<std::size_t>(kept - outputs.begin());
    return kept == outputs.end();
  });
  graph.outputs = std::move(outputs);
  return graph;
}

}  // namespace tensordsl
