// The rules of a node's operator, ONNX's or a user's.
#pragma once

#include "ops/node.h"
#include "ops/operator_spec.h"

namespace tensordsl::ops {

/// Returns the types and shapes of the node's outputs. Throws ModelError or ShapeError without the node's
/// name, and InternalError if the operator is unknown.
InferredNode infer(const Node& node, const OperatorCall& call);

/// Returns the Funcs of the node's outputs. Needs: infer() has passed, and written the defaults out.
std::vector<Func> define(const Node& node, const OperatorOperands& operands);

/// True if the operator is nothing but a rule of ops/normalize, which may give nodes of other such operators.
bool is_rule_alone(const Node& node);

/// Returns the number of outputs that are supported; outputs beyond it may be listed as long as they are not
/// read.
std::size_t most_outputs(const Node& node);

}  // namespace tensordsl::ops
