#include "graph/infer_shapes.h"

#include <fmt/format.h>

#include "ops/operator_table.h"
#include "tensordsl/error.h"

namespace tensordsl {

void infer_shapes(Graph& graph, Node& node) {
  const OperatorSpec* spec = find_operator(node.op);
  if (!spec) throw InternalError(fmt::format("{} has no shape rule", label(node)));
  OperatorCall call{node.attributes, {}};
  for (const std::string& input : node.inputs)
    call.inputs.push_back(input.empty() ? nullptr : &graph.info(input));
  try {
    InferredTensor result = infer(*spec, call);
    graph.tensors.insert_or_assign(node.outputs[0],
                                   TensorInfo{node.outputs[0], result.type, std::move(result.shape)});
    node.attributes = std::move(result.attributes);
  } catch (const ShapeError& error) {
    throw ShapeError(fmt::format("{}: {}", label(node), error.what()));
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("{}: {}", label(node), error.what()));
  }
}

void infer_shapes(Graph& graph) {
  for (Node& node : graph.nodes) infer_shapes(graph, node);
}

}  // namespace tensordsl
