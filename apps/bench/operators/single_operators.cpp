#include "apps/bench/operators/single_operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "model/constant_evaluator.h"
#include "onnx/import_onnx.h"

namespace tensordsl::bench {
namespace {

using onnx::Graph;
using ops::Node;

std::string shape_text(const ops::TensorInfo& info) { return to_string(info.shape); }

/// Returns nullopt for a node that computes no numbers, such as one of shapes.
std::optional<SingleOperator> single_operator(const Graph& graph, const Node& node) {
  const ops::TensorInfo& output = graph.info(node.outputs.at(0));
  if (!output.type.is_float()) return std::nullopt;
  SingleOperator result;
  Graph& own = result.graph;
  own.name = node.op;
  own.opset = graph.opset;
  own.nodes = {node};
  std::vector<std::string> operands;
  for (const std::string& name : node.inputs) {
    if (name.empty()) continue;
    own.tensors.insert_or_assign(name, graph.info(name));
    if (graph.is_constant(name)) {
      own.constants.insert_or_assign(name, graph.constants.at(name));
    } else if (!own.is_input(name)) {
      own.inputs.push_back(name);
    }
    operands.push_back((graph.is_constant(name) ? "w:" : "x:") + shape_text(graph.info(name)));
  }
  if (own.inputs.empty()) return std::nullopt;
  for (const std::string& name : node.outputs) {
    if (name.empty()) continue;
    own.tensors.insert_or_assign(name, graph.info(name));
    own.outputs.push_back(name);
  }
  const std::string line = to_string(own, node);
  const std::size_t attributes = line.find('{');
  result.text = fmt::format("{} -> {}{}", fmt::join(operands, " "), shape_text(output),
                            attributes == std::string::npos ? "" : " " + line.substr(attributes));
  return result;
}

}  // namespace

std::vector<SingleOperator> single_operators(const std::vector<std::string>& models,
                                             const std::vector<std::string>& kinds) {
  std::vector<SingleOperator> found;
  std::set<std::string> known;
  for (const std::string& model : models) {
    onnx::ImportOptions importing;
    importing.random_weights = true;
    const ModelOptions loading;
    ConstantEvaluator evaluator(loading);
    importing.evaluate = [&](const Node& node, const std::vector<const Buffer*>& inputs) {
      return evaluator.evaluate(node, inputs);
    };
    const Graph graph = import_onnx(model, importing);
    for (const Node& node : graph.nodes) {
      if (!kinds.empty() && std::ranges::count(kinds, node.op) == 0) continue;
      auto single = single_operator(graph, node);
      if (!single || !known.insert(node.op + single->text).second) continue;
      single->model = std::filesystem::path(model).stem().string();
      found.push_back(std::move(*single));
    }
  }
  return found;
}

}  // namespace tensordsl::bench
