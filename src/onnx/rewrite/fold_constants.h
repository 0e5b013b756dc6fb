#pragma once

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// If all inputs of `node` are constants or, of integers, in Graph::sizes, computes its outputs, enters them
/// as constants and returns true; the node is then superfluous. Nodes that only regroup elements are done
/// here, others by `evaluate` (left alone if it is null). If symbolic dimensions are in one of its outputs,
/// all are entered into Graph::sizes, and the node stays. A node that would blow small constants up to more
/// than 64 MiB is left alone too, and one without inputs, if its outputs are large.
/// Needs: shapes inferred.
bool fold_node(Graph& graph, const ops::Node& node, const Evaluator& evaluate);

/// Removes every node whose inputs are all constants.
void fold_constants(Graph& graph, const Evaluator& evaluate);

}  // namespace tensordsl::onnx
