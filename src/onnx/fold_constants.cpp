#include "onnx/fold_constants.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/movement.h"
#include "onnx/define_node.h"
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
  for (const std::string& output : node.outputs) outputs += output.empty() ? 0 : bytes(graph.info(output));
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

}  // namespace

bool fold_node(Graph& graph, const Node& node, const Evaluator& evaluate) {
  const auto is_known = [&](const std::string& input) { return input.empty() || graph.is_constant(input); };
  if (node.inputs.empty() || !std::ranges::all_of(node.inputs, is_known)) return false;

  if (const auto input = reshaped_input(graph, node)) {
    const TensorInfo result = graph.info(node.outputs[0]);
    graph.add_constant(result.name, graph.constants.at(*input).reshaped(result.shape));
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
    if (i >= values.size() || values[i].type() != result.type || values[i].shape() != result.shape) {
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
