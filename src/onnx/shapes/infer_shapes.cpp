#include "onnx/shapes/infer_shapes.h"

#include <fmt/format.h>

#include "ir/nodes/size_conversion.h"
#include "onnx/shapes/size_conditions.h"
#include "ops/assumed_sizes.h"
#include "ops/loop_marks.h"
#include "ops/node_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {

using ops::Node;

namespace {

/// The launch checks that the input has these elements.
ReadRequirement requirement(const Graph& graph, const Node& node, const ops::NeededElements& needed) {
  const std::string& tensor = node.inputs[needed.input];
  return {needed.why.empty() ? label(node) : fmt::format("{} with {}", label(node), needed.why),
          tensor,
          static_cast<int>(needed.dimension),
          "",
          1,
          ir::to_size(needed.begin.expr()),
          ir::to_size(needed.end.expr()),
          ir::to_size(graph.info(tensor).shape[needed.dimension].expr()),
          true};
}

/// Makes the launch check the conditions of the sizes in shapes and attributes.
void check_at_launch(Graph& graph, const Node& node, ops::InferredNode& result) {
  for (ops::TensorType& output : result.outputs) check_at_launch(graph, node, output.shape);
  ops::Attributes attributes;
  for (auto [name, value] : result.attributes.values()) {
    if (ops::Sizes* sizes = std::get_if<ops::Sizes>(&value)) check_at_launch(graph, node, *sizes);
    attributes.set(name, std::move(value));
  }
  result.attributes = std::move(attributes);
}

}  // namespace

void infer_shapes(Graph& graph, Node& node) {
  ops::OperatorCall call{node.attributes, {}, node.outputs.size()};
  for (const std::string& input : node.inputs) {
    call.inputs.push_back(input.empty() ? nullptr : &graph.info(input));
    const auto constant = graph.constants.find(input);
    call.constants.push_back(constant == graph.constants.end() ? nullptr : &constant->second);
  }
  try {
    ops::InferredNode result = infer(node, call);
    check_at_launch(graph, node, result);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const std::string& name = node.outputs[i];
      auto& [type, shape] = result.outputs[i];
      if (!name.empty()) graph.tensors.insert_or_assign(name, ops::TensorInfo{name, type, std::move(shape)});
    }
    node.attributes = std::move(result.attributes);
    for (const ops::NeededElements& needed : result.needed)
      graph.requirements.push_back(requirement(graph, node, needed));
  } catch (const ops::UnevenSteps& error) {
    throw ops::UnevenSteps(fmt::format("{}: {}", label(node), error.what()),
                           call.attributes.get<std::string>(ops::kLoopKey));
  } catch (const ops::UnequalSizes& error) {
    throw ops::UnequalSizes(fmt::format("{}: {}", label(node), error.what()), error.a, error.b);
  } catch (const ShapeError& error) {
    throw ShapeError(fmt::format("{}: {}", label(node), error.what()));
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("{}: {}", label(node), error.what()));
  }
}

void infer_shapes(Graph& graph) {
  for (Node& node : graph.nodes) infer_shapes(graph, node);
}

}  // namespace tensordsl::onnx
