// x: f32[n] -> y: f32[min(n, 1)]: y is taken to be f32[1], and the launch checks that n is not 0
#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Makes the launch check the conditions of the sizes, which `node` needs, and drops them.
void check_at_launch(Graph& graph, const ops::Node& node, ops::Sizes& sizes);

}  // namespace tensordsl::onnx
