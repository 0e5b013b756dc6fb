// A node of a user's operator (tensordsl/operator_table.h) as the rules see it.
#pragma once

#include "ops/operator_operands.h"
#include "ops/shapes/inferred_node.h"
#include "tensordsl/operator_table.h"

namespace tensordsl::ops {

/// What the definition gives for inputs of these types and shapes; attributes stay as they are. Throws
/// ModelError, also for what the definition throws.
InferredNode infer_user_operator(const OperatorDefinition& definition, const OperatorCall& call);

/// The Funcs of the outputs. Needs: infer_user_operator has passed.
std::vector<Func> define_user_operator(const OperatorDefinition& definition,
                                       const OperatorOperands& operands);

}  // namespace tensordsl::ops
