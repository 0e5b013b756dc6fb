#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Removes the nodes and constants that no output depends on. The inputs stay: they are the model's
/// interface.
void remove_dead_nodes(Graph& graph);

}  // namespace tensordsl::onnx
