// Costs of functions.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::predict {

/// Returns the cost of a floating-point operation, in divisions; 0: no more than an addition. Costs are
/// counted in the code of NVIDIA's compiler for OpenCL's functions, where a division is 8 instructions.
/// Roots, exponentials and other unlisted functions count as one: devices have instructions for most of them.
double divisions_of(const ir::ExprNode& node);

/// Returns the number of values that the text of a function holds besides its operands; 0 for what is one
/// instruction, or a function of the device's compiler.
int values_inside(const ir::ExprNode& node);

/// Returns the cost of an operation on integers, in instructions: a division by a constant is a product and
/// shifts.
double integer_instructions(const ir::ExprNode& node);

}  // namespace tensordsl::predict
