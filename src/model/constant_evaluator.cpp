#include "model/constant_evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/options_of_target.h"
#include "onnx/define_graph.h"
#include "onnx/evaluate_node.h"
#include "onnx/shapes/infer_shapes.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using ops::Node;

// The interpreter computes some ten million values in a second; a kernel takes a tenth of one to be made.
constexpr double kSmall = 1 << 18;   // values that are interpreted in any case
constexpr double kBudget = 1 << 23;  // values of larger nodes that are interpreted, of the whole model

/// A model of the one node, which reads inputs x0, x1, ..
definitions::DefinitionGraph graph_of(Node node, const std::vector<const Buffer*>& inputs) {
  onnx::Graph graph;
  graph.name = node.op;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    const std::string name = fmt::format("x{}", i);
    node.inputs[i] = name;
    graph.inputs.push_back(name);
    graph.tensors.emplace(name, ops::TensorInfo{name, inputs[i]->type(), inputs[i]->shape()});
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    node.outputs[i] = fmt::format("y{}", i);
    graph.outputs.push_back(node.outputs[i]);
  }
  infer_shapes(graph, node);
  graph.nodes.push_back(std::move(node));
  return define_graph(std::move(graph));
}

std::vector<Buffer> run_node(const Node& node, const std::vector<const Buffer*>& inputs, Device& device) {
  CompileTarget target;
  target.device = device.info();
  Runner runner(
      std::make_shared<const Program>(graph::compile_graph(graph_of(node, inputs), options_of(target))),
      device);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) runner.write(fmt::format("x{}", i), *inputs[i]);
  }
  runner.run();
  return runner.read_all();
}

}  // namespace

std::vector<Buffer> ConstantEvaluator::evaluate(const Node& node, const std::vector<const Buffer*>& inputs) {
  if (may_interpret(onnx::interpreted_work(node, inputs))) return onnx::evaluate_node(node, inputs);
  const bool has_double =
      std::ranges::any_of(inputs, [](const Buffer* input) { return input && input->type() == Float(64); });
  if (device() && (device()->info().has_fp64 || !has_double)) {
    try {
      return run_node(node, inputs, *device());
    } catch (const DeviceError&) {
      device_ = nullptr;  // the next one would fail as well
    }
  }
  return interpret_node(node, inputs);
}

bool ConstantEvaluator::may_interpret(double work) {
  if (work <= kSmall) return true;
  if (interpreted_ + work > kBudget) return false;
  interpreted_ += work;
  return true;
}

std::shared_ptr<Device> ConstantEvaluator::device() {
  if (!device_) {
    device_ = nullptr;
    try {
      if (options_.folding_device) device_ = options_.folding_device();
    } catch (const DeviceError&) {
      return nullptr;
    }
  }
  return *device_;
}

std::vector<Buffer> ConstantEvaluator::interpret_node(const Node& node,
                                                      const std::vector<const Buffer*>& inputs) const {
  constexpr int kSteps = 1000;
  return onnx::evaluate_with_progress(node, inputs, [&](std::int64_t done, std::int64_t total) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    if (options_.folding_progress) options_.folding_progress(static_cast<int>(share * kSteps), kSteps);
  });
}

}  // namespace tensordsl
