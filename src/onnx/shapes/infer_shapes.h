#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Enters the types and shapes of the node's outputs into graph.tensors and writes the node's defaults out
/// (ops/operator_spec.h). The inputs must be known already. Throws ShapeError or ModelError naming the node.
void infer_shapes(Graph& graph, ops::Node& node);

/// Infers the shapes of every node, in order.
void infer_shapes(Graph& graph);

}  // namespace tensordsl::onnx
