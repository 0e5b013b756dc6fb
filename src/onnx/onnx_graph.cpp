#include "onnx/onnx_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/lexer.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {

using ops::Size;

bool Graph::is_input(const std::string& tensor) const {
  return std::ranges::find(inputs, tensor) != inputs.end();
}

bool Graph::is_output(const std::string& tensor) const {
  return std::ranges::find(outputs, tensor) != outputs.end();
}

const ops::TensorInfo& Graph::info(const std::string& tensor) const {
  const auto found = tensors.find(tensor);
  if (found == tensors.end()) throw InternalError(fmt::format("graph {}: unknown tensor '{}'", name, tensor));
  return found->second;
}

void Graph::add_constant(const std::string& tensor, Buffer value) {
  tensors.insert_or_assign(tensor, ops::TensorInfo{tensor, value.type(), value.shape()});
  constants.insert_or_assign(tensor, std::move(value));
}

Size Graph::add_count(const std::string& tensor, const Size& bound) {
  counts.push_back({fresh_count(*this, tensor), tensor, bound});
  return Size::symbol(counts.back().param);
}

std::map<std::string, std::vector<std::size_t>> consumers(const Graph& graph) {
  std::map<std::string, std::vector<std::size_t>> readers;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& input : graph.nodes[i].inputs) {
      if (!input.empty()) readers[input].push_back(i);
    }
  }
  return readers;
}

std::string fresh_name(const Graph& graph, const std::string& base) {
  std::string name = base;
  for (int i = 2; graph.tensors.contains(name); ++i) name = fmt::format("{}.{}", base, i);
  return name;
}

namespace {

std::string typed(const Graph& graph, const std::string& tensor) {
  return fmt::format("{}{}: {}", graph.is_constant(tensor) ? "" : "%", tensor, to_string(graph.info(tensor)));
}

}  // namespace

std::string fresh_count(const Graph& graph, const std::string& base) {
  std::string name;
  for (const char c : base) name += is_letter(c) || is_digit(c) ? c : '_';
  if (!is_letter(name[0])) name = "n" + name;
  const auto is_taken = [&](const std::string& symbol) {
    return graph.loop_symbols.contains(symbol) ||
           std::ranges::find(graph.counts, symbol, &Graph::Count::param) != graph.counts.end();
  };
  while (is_taken(name + ".count")) name += "_";
  return name + ".count";
}

std::string to_string(const Graph& graph, const ops::Node& node) {
  std::string arguments, results;
  for (const std::string& input : node.inputs) {
    arguments += arguments.empty() ? "" : ", ";
    arguments += input.empty()              ? "-"
                 : graph.is_constant(input) ? typed(graph, input)
                                            : fmt::format("%{}", input);
  }
  for (const std::string& output : node.outputs)
    results += (results.empty() ? "" : ", ") + (output.empty() ? "-" : typed(graph, output));
  return fmt::format("{} = {}({}){}", results, node.op, arguments,
                     node.attributes.empty() ? "" : " " + to_string(node.attributes));
}

std::string to_string(const Graph& graph) {
  std::string text = fmt::format("graph {} (opset {})\n", graph.name, graph.opset);
  for (const std::string& input : graph.inputs) text += fmt::format("input {}\n", typed(graph, input));
  for (const ops::Node& node : graph.nodes) text += to_string(graph, node) + "\n";
  for (const std::string& output : graph.outputs) text += fmt::format("output {}\n", typed(graph, output));
  return text;
}

}  // namespace tensordsl::onnx
