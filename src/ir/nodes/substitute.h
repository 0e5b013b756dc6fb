// x -> value, for free variables by name.
#pragma once

#include <map>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

using Substitution = std::map<std::string, Expr, std::less<>>;

/// Replaces free occurrences of each variable. A vector value widens the operators above it (see
/// with_operands).
Expr substitute(const Expr& expr, const Substitution& values);
/// Respects the scopes of Let and For: a name bound inside `stmt` is not replaced below its binding.
Stmt substitute(const Stmt& stmt, const Substitution& values);
Expr substitute(const Expr& expr, const std::string& name, const Expr& value);
Stmt substitute(const Stmt& stmt, const std::string& name, const Expr& value);

}  // namespace tensordsl::ir
