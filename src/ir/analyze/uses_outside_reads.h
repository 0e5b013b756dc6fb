// Tells whether an index uses a variable outside of loads: x + in[y] uses x, and y only inside a load.
#pragma once

#include <string>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// True if `expr` uses the variable outside the operands of loads and calls.
bool uses_outside_reads(const Expr& expr, const std::string& variable);

}  // namespace tensordsl::ir
