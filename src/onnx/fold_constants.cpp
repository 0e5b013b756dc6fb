#include "onnx/fold_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classify/movement.h"
#include "onnx/define_node.h"
#include "onnx/evaluate_sizes.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

std::int64_t bytes(const TensorInfo& tensor) { return checked_bytes(tensor.type, tensor.shape); }

bool grows_too_much(const Graph& graph, const Node& node) {
  constexpr std::int64_t kLimit = std::int64_t{64} << 20;
  std::int64_t inputs = 0;
  for (const std::string& input : node.inputs) inputs += input.empty() ? 0 : bytes(graph.info(input));
  std::int64_t outputs = 0;
  for (const std::string& output : node.outputs) {
    if (output.empty()) continue;
    if (!is_known(graph.info(output).shape)) return true;
    outputs += bytes(graph.info(output));
  }
  return outputs > kLimit && outputs > inputs;
}

/// The input whose elements the node gives another shape; nothing if it does anything else.
std::optional<std::string> reshaped_input(const Graph& graph, const Node& node) {
  std::vector<const TensorInfo*> inputs;
  for (const std::string& input : node.inputs) inputs.push_back(input.empty() ? nullptr : &graph.info(input));
  const DefinedNode defined = define_node(node, inputs);
  if (defined.funcs.size() != 1) return std::nullopt;
  const auto movement =
      classify::movement_of(defined.funcs[0].contents(), func_extents(defined.outputs[0].shape));
  if (!movement || !movement->keeps_order) return std::nullopt;
  return node.inputs[std::stoul(movement->source.name.substr(1))];
}

/// What is known of an input of integers.
std::optional<SizeOperand> size_operand(const Graph& graph, const std::string& input) {
  constexpr std::int64_t kMostElements = 1024;
  const TensorInfo& info = graph.info(input);
  if (const auto sizes = graph.sizes.find(input); sizes != graph.sizes.end())
    return SizeOperand{info, sizes->second};
  const auto constant = graph.constants.find(input);
  if (constant == graph.constants.end() || constant->second.elements() > kMostElements) return std::nullopt;
  const Buffer& value = constant->second;
  SizeOperand operand{info, {}};
  for (std::int64_t i = 0; i < value.elements(); ++i) {
    const double number = value.get(i);
    if (info.type.is_float() && (std::abs(number) > 1e15 || number != std::floor(number)))
      return std::nullopt;
    operand.elements.emplace_back(info.type.is_float() ? static_cast<std::int64_t>(number)
                                                       : value.get_int(i));
  }
  return operand;
}

/// Whether all outputs are constants then.
bool fold_sizes(Graph& graph, const Node& node) {
  std::vector<std::optional<SizeOperand>> operands;
  std::vector<const TensorInfo*> infos;
  for (const std::string& input : node.inputs) {
    operands.push_back(input.empty() ? std::nullopt : size_operand(graph, input));
    if (!input.empty() && !operands.back()) return false;
    infos.push_back(input.empty() ? nullptr : &graph.info(input));
  }
  const auto values = evaluate_sizes(define_node(node, infos), operands);
  if (!values) return false;
  bool are_constants = true;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& output = node.outputs[i];
    if (output.empty()) continue;
    if (!is_known((*values)[i])) {
      graph.sizes.insert_or_assign(output, (*values)[i]);
      are_constants = false;
      continue;
    }
    const TensorInfo info = graph.info(output);
    Buffer value(info.type, known(info.shape));
    for (std::int64_t k = 0; k < value.elements(); ++k) {
      const std::int64_t element = (*values)[i][static_cast<std::size_t>(k)].value();
      info.type.is_float() ? value.set(k, static_cast<double>(element)) : value.set_int(k, element);
    }
    graph.add_constant(output, std::move(value));
  }
  return are_constants;
}

}  // namespace

bool fold_node(Graph& graph, const Node& node, const Evaluator& evaluate) {
  const auto is_constant = [&](const std::string& input) {
    return input.empty() || graph.is_constant(input);
  };
  if (node.inputs.empty() || !std::ranges::all_of(node.inputs, is_constant)) {
    const auto is_size = [&](const std::string& input) {
      return is_constant(input) || graph.sizes.contains(input);
    };
    return std::ranges::all_of(node.inputs, is_size) && fold_sizes(graph, node);
  }

  if (const auto input = reshaped_input(graph, node)) {
    const TensorInfo result = graph.info(node.outputs[0]);
    graph.add_constant(result.name, graph.constants.at(*input).reshaped(known(result.shape)));
    return true;
  }
  if (!evaluate || grows_too_much(graph, node)) return false;
  std::vector<const Buffer*> inputs;
  for (const std::string& input : node.inputs)
    inputs.push_back(input.empty() ? nullptr : &graph.constants.at(input));
  std::vector<Buffer> values = evaluate(node, inputs);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    const TensorInfo result = graph.info(node.outputs[i]);
    if (i >= values.size() || values[i].type() != result.type || Shape(values[i].shape()) != result.shape) {
      throw InternalError(fmt::format("{}: its evaluation did not give {}", label(node), to_string(result)));
    }
    graph.add_constant(result.name, std::move(values[i]));
  }
  return true;
}

void fold_constants(Graph& graph, const Evaluator& evaluate) {
  std::erase_if(graph.nodes, [&](const Node& node) { return fold_node(graph, node, evaluate); });
}

}  // namespace tensordsl
