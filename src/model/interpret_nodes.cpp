#include "model/interpret_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/expr_node.h"
#include "onnx/assume_sizes.h"
#include "onnx/evaluate_node.h"
#include "runtime/evaluate.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

void check_input(const DefinedTensor& input, const std::map<std::string, Buffer>& inputs) {
  const auto value = inputs.find(input.name);
  if (value == inputs.end())
    throw Error(
        fmt::format("interpret: no value for the input \"{}\"; pass one under that name", input.name));
  std::vector<std::int64_t> shape;
  for (const Expr& extent : input.shape) shape.push_back(evaluate(extent, {}));
  if (value->second.type() == input.type() && value->second.shape() == shape) return;
  throw ShapeError(fmt::format("interpret: the input \"{}\" is {} [{}]; its value is {} [{}]", input.name,
                               to_string(input.type()), fmt::join(shape, ", "),
                               to_string(value->second.type()), fmt::join(value->second.shape(), ", ")));
}

/// The counts as large as they may be.
ParamValues largest_counts(const DefinitionGraph& graph) {
  ParamValues values;
  for (const DefinitionGraph::Count& count : graph.counts)
    values.insert_or_assign(count.param, evaluate(count.bound, values));
  return values;
}

/// About how many values are computed for each tensor: its elements times what is reduced for each.
std::map<std::string, double> work_of_tensors(const DefinitionGraph& graph) {
  const TensorFuncs funcs(graph);
  const ParamValues counts = largest_counts(graph);
  std::map<std::string, double> work;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    double elements = 1, for_each_element = 0;
    for (const Expr& extent : graph.tensors[i].shape)
      elements *= static_cast<double>(evaluate(extent, counts));
    for (const Func& func : funcs.funcs_of(i)) {
      for (const ir::Definition& step : func.contents().definitions) {
        double points = 1;
        for (const ir::ReductionAxis& axis : step.domain)
          points *= static_cast<double>(
              std::max<std::int64_t>(ir::as_int(axis.extent) ? *ir::as_int(axis.extent) : 1, 1));
        for_each_element += points;
      }
    }
    work[graph.tensors[i].name] = elements * for_each_element;
  }
  return work;
}

}  // namespace

std::map<std::string, Buffer> interpret_nodes(const std::vector<Node>& nodes, const DefinitionGraph& graph,
                                              const std::map<std::string, Buffer>& inputs,
                                              const std::function<void(int, int)>& progress) {
  std::map<std::string, const Buffer*> known;
  for (const std::size_t input : graph.inputs) {
    check_input(graph.tensors[input], inputs);
    known[graph.tensors[input].name] = &inputs.at(graph.tensors[input].name);
  }
  for (const DefinedTensor& tensor : graph.tensors) {
    if (tensor.constant) known[tensor.name] = tensor.constant.get();
  }
  const auto work = work_of_tensors(graph);
  double total = 0, done = 0;
  for (const auto& [name, of_tensor] : work) total += of_tensor;
  std::map<std::string, Buffer> values;
  std::vector<AssumedSize> counts;  // those that are known
  for (Node node : nodes) {
    for (const AssumedSize& count : counts) substitute(node, count);
    std::vector<const Buffer*> operands;
    for (const std::string& input : node.inputs)
      operands.push_back(input.empty() ? nullptr : known.at(input));
    double of_node = 0;
    for (const std::string& output : node.outputs) of_node += work.contains(output) ? work.at(output) : 0;
    std::vector<Buffer> results =
        evaluate_with_progress(node, operands, [&](std::int64_t values_done, std::int64_t values_total) {
          constexpr int kSteps = 1000;
          const double share = static_cast<double>(values_done) / static_cast<double>(values_total);
          if (progress) progress(static_cast<int>(kSteps * (done + share * of_node) / total), kSteps);
        });
    done += of_node;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      known[node.outputs[i]] = &(values[node.outputs[i]] = std::move(results.at(i)));
    }
    for (const DefinitionGraph::Count& count : graph.counts) {
      const std::string& holder = graph.tensors[count.tensor].name;
      if (std::ranges::find(node.outputs, holder) != node.outputs.end())
        counts.push_back({Size::symbol(count.param), values.at(holder).get_int(0)});
    }
  }
  return values;
}

}  // namespace tensordsl
