// How long functions take.
#pragma once

#include "ir/expr_node.h"

namespace tensordsl::predict {

/// In divisions of floating-point numbers; 0: an operation as additions are. Of functions as accurate as
/// OpenCL wants them, by the instructions that NVIDIA's compiler makes of them, of which a division has 8.
double divisions_of(const ir::ExprNode& node);

/// Of an operation on integers, in instructions: a division by a constant is a product and shifts.
double integer_instructions(const ir::ExprNode& node);

}  // namespace tensordsl::predict
