// Tensors without elements: all that there is to know of them is known when the model is loaded.
#pragma once

#include <set>
#include <string>

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// input x: f32[0,3]; y = MatMul(w, x)  ->  input x: f32[0,3]; y = MatMul(w, x.empty), a constant
/// `taken` has every tensor name of the model; names made here are added to it. Needs: the node's inputs are
/// in graph.tensors.
void replace_empty_inputs(Graph& graph, ops::Node& node, std::set<std::string>& taken);

/// y: f32[0,3] = Relu(x)  ->  y is a constant
/// True if no output of the node has elements; they become constants, and the node is removed. Needs: shapes
/// inferred.
bool fold_empty(Graph& graph, const ops::Node& node);

}  // namespace tensordsl::onnx
