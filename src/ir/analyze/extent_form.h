// Whether a number is an extent because of what it is made of: n, n*m + 1, (n + 3)/2.
#pragma once

#include <functional>
#include <string>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

enum class ExtentIs { NotNegative, Positive };

/// Whether `e` is so wherever the variables in it are, and `may_be_one` holds for each of them: a variable, a
/// sum or product of such, of numbers too, and, where it may be 0, a quotient by a number.
bool has_extent_form(const Expr& e, ExtentIs what, const std::function<bool(const std::string&)>& may_be_one);

}  // namespace tensordsl::ir
