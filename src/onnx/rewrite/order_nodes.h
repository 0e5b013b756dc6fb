#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Puts producers before consumers; nodes that are in order already stay where they are.
/// Throws ModelError if nodes form a cycle, naming one on it.
void order_nodes(Graph& graph);

}  // namespace tensordsl::onnx
