#include "onnx/rewrite/fold_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classify/movement.h"
#include "onnx/define_node.h"
#include "onnx/shapes/evaluate_sizes.h"
#include "onnx/shapes/size_conditions.h"
#include "ops/loop_marks.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;
using ops::Sizes;
using ops::TensorInfo;

/// Tensors of sizes are small.
constexpr std::int64_t kMostElements = 1024;

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

/// True if the outputs are small enough to be shapes or a few numbers, which other nodes may need to know.
bool is_small(const Graph& graph, const Node& node) {
  return std::ranges::all_of(node.outputs, [&](const std::string& output) {
    return output.empty() || element_count(graph.info(output).shape).value() <= kMostElements;
  });
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

/// Returns the known elements of an input of integers; nullopt if they are not known.
std::optional<SizeOperand> size_operand(const Graph& graph, const std::string& input) {
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

Buffer sizes_to_buffer(const TensorInfo& info, const Sizes& elements) {
  Buffer buffer(info.type, known(info.shape));
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    const std::int64_t element = elements[static_cast<std::size_t>(i)].value();
    info.type.is_float() ? buffer.set(i, static_cast<double>(element)) : buffer.set_int(i, element);
  }
  return buffer;
}

/// Enters the known outputs: all of them as constants, or all as sizes. Returns true if they are constants.
bool fold_sizes(Graph& graph, const Node& node) {
  std::vector<std::optional<SizeOperand>> operands;
  std::vector<const TensorInfo*> infos;
  for (const std::string& input : node.inputs) {
    operands.push_back(input.empty() ? std::nullopt : size_operand(graph, input));
    if (!input.empty() && !operands.back()) return false;
    infos.push_back(input.empty() ? nullptr : &graph.info(input));
  }
  auto values = evaluate_sizes(define_node(node, infos), operands);
  if (!values) return false;
  for (Sizes& elements : *values) check_at_launch(graph, node, elements);
  const bool are_constants = std::ranges::all_of(*values, ops::is_known);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& output = node.outputs[i];
    if (output.empty()) continue;
    if (are_constants) {
      graph.add_constant(output, sizes_to_buffer(graph.info(output), (*values)[i]));
    } else {
      graph.sizes.insert_or_assign(output, (*values)[i]);
    }
  }
  return are_constants;
}

/// True if every operand of the node is known.
bool has_known_operands(const Graph& graph, const Node& node) {
  const auto is_constant = [&](const std::string& input) {
    return input.empty() || graph.is_constant(input);
  };
  const auto has_symbols = [](const auto& attribute) {
    const Sizes* sizes = std::get_if<Sizes>(&attribute.second);
    return sizes && !is_known(*sizes);
  };
  return std::ranges::all_of(node.inputs, is_constant) &&
         std::ranges::none_of(node.attributes.values(), has_symbols);
}

}  // namespace

bool fold_node(Graph& graph, const Node& node, const Evaluator& evaluate) {
  if (node.op == ops::kLoopBegin) {
    const ops::Size step = ops::Size::symbol(node.attributes.get<std::string>(ops::kLoopStep));
    graph.sizes.insert_or_assign(node.outputs.back(), Sizes{step});
  }
  if (is_loop_mark(node)) return false;
  if (node.inputs.empty() || !has_known_operands(graph, node)) {
    const auto is_size = [&](const std::string& input) {
      return input.empty() || graph.is_constant(input) || graph.sizes.contains(input);
    };
    if (std::ranges::all_of(node.inputs, is_size) && fold_sizes(graph, node)) return true;
    if (!node.inputs.empty() || !has_known_operands(graph, node) || !is_small(graph, node)) return false;
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
    if (i >= values.size() || values[i].type() != result.type ||
        ops::Shape(values[i].shape()) != result.shape) {
      throw InternalError(
          fmt::format("{}: its evaluation did not compute {}", label(node), to_string(result)));
    }
    graph.add_constant(result.name, std::move(values[i]));
  }
  return true;
}

void fold_constants(Graph& graph, const Evaluator& evaluate) {
  std::erase_if(graph.nodes, [&](const Node& node) { return fold_node(graph, node, evaluate); });
}

}  // namespace tensordsl::onnx
