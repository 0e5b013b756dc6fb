#pragma once

#include <set>
#include <string>
#include <vector>

#include "onnx/onnx_graph.h"

namespace tensordsl::onnx {

/// Brings `node`, written in the operator set `opset` (6 or later), into the one form that
/// ops/operator_spec.h describes; an old Softmax, a variadic Min or Max and a Clip with computed bounds
/// become several nodes. `taken` has every tensor name of the model; names made here are added to it. Needs:
/// the node's inputs are in graph.tensors. Throws ModelError naming the node if an operand that must be known
/// at compile time is not a constant.
std::vector<ops::Node> normalize_node(Graph& graph, ops::Node node, std::int64_t opset,
                                      std::set<std::string>& taken);

}  // namespace tensordsl::onnx
