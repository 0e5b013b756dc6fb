// Whether an index uses a variable by itself: x + in[y] uses x, and y only in what it reads.
#pragma once

#include <string>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// True if `expr` uses the variable outside what it reads from memory or calls.
bool uses_outside_reads(const Expr& expr, const std::string& variable);

}  // namespace tensordsl::ir
