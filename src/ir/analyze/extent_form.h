// Tells whether a number is an extent by its form: n, n*m + 1, (n + 3)/2.
#pragma once

#include <functional>
#include <string>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

enum class ExtentIs { NotNegative, Positive };

/// True if `e` is an extent wherever its variables are, and `may_be_one` holds for each of them: a variable,
/// a sum or product of these and of numbers, and, if it may be 0, a quotient by a number.
bool has_extent_form(const Expr& e, ExtentIs what, const std::function<bool(const std::string&)>& may_be_one);

}  // namespace tensordsl::ir
