#pragma once

#include "onnx/graph.h"

namespace tensordsl {

/// An Evaluator: the operator's definition, interpreted on the host. Needs: shapes inferred, and an operator
/// that has a definition.
std::vector<Buffer> evaluate_node(const Node& node, const std::vector<Buffer>& inputs);

}  // namespace tensordsl
