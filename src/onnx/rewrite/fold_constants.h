#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// If all inputs of `node` are constants or, of integers, in Graph::sizes, computes its outputs, enters them
/// as constants and returns true; the node is then superfluous. Nodes that only regroup elements are done
/// here, others by `evaluate` (not folded if it is null). If symbolic dimensions are in one of its outputs,
/// all are entered into Graph::sizes, and the node stays. Does not fold a node that would expand small
/// constants to more than 64 MiB, or one without inputs whose outputs are large.
/// Needs: shapes inferred.
bool fold_node(Graph& graph, const ops::Node& node, const Evaluator& evaluate);

/// Removes every node whose inputs are all constants.
void fold_constants(Graph& graph, const Evaluator& evaluate);

}  // namespace tensordsl::onnx
