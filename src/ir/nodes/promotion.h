// Promotion of an operator's operands to one type.
#pragma once

#include <string_view>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Checks that `e` is defined. Throws DefinitionError otherwise; `name` is the operator's name.
void require_defined(std::string_view name, const Expr& e);

/// Promotes f16, a storage type, to f32 for arithmetic.
Expr promoted(const Expr& e);

/// Brings both to one type: a constant to the other operand's type, if the value survives, or both to the
/// wider one. Throws DefinitionError if one is undefined.
void meet(std::string_view name, Expr& a, Expr& b);

/// Returns a constant of another integer type as an i32, if it fits; every other expression unchanged. Sizes
/// and indices are i32, and are often given as a std::size_t.
Expr as_index(const Expr& expr);

}  // namespace tensordsl::ir
