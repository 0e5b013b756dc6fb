// Tells whether a value is monotonic in a variable.
#pragma once

#include <string>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// True if `expr` is known not to become smaller as the variable becomes larger, whatever the others are:
/// sums, products with constants, quotients by positive ones, minima and maxima of such.
bool is_non_decreasing(const Expr& expr, const std::string& variable);
/// True if the value never grows with the variable.
bool is_non_increasing(const Expr& expr, const std::string& variable);

}  // namespace tensordsl::ir
