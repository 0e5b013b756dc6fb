// The nodes of a file, one by one, to nodes of known shapes in normal form, and constants.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "onnx/bodies/bodies.h"
#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Replaces graph.nodes by what they become in order: a node with a body by its body, an operator by its
/// normal form (normalize_node), with the type and shape of every tensor, and values that follow only from
/// constants replaced by constants. Symbolic dimensions that have to be equal are from then on
/// (assume_sizes). `taken` has every tensor name; `reserve` is called with the bytes of each new constant.
/// Throws ModelError.
/// A tensor that `values` has, which is one whole number, is that constant, and a run checks that it is
/// computed to be the same.
void normalize_nodes(Graph& graph, Bodies& bodies, std::set<std::string>& taken, const Evaluator& evaluate,
                     const std::map<std::string, Buffer>& values,
                     const std::function<void(std::int64_t bytes)>& reserve);

}  // namespace tensordsl::onnx
