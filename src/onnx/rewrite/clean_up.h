#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// The rewrites that leave a graph simpler and its outputs the same, in order. `evaluate` computes nodes of
/// constants; without it only those that move elements are folded. Needs: shapes inferred (as import does).
void clean_up(Graph& graph, const Evaluator& evaluate);

}  // namespace tensordsl::onnx
