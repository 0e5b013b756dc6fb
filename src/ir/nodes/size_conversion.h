// Exprs of integers <-> SizeExprs, which Programs have
#pragma once

#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/size_expr.h"

namespace tensordsl::ir {

/// Returns the expression as a size of the same text. Throws Error if the expression is not of integers.
SizeExpr to_size(const Expr& expr);
std::vector<SizeExpr> to_sizes(const std::vector<Expr>& exprs);

/// Returns the size as an expression of the same text.
Expr to_expr(const SizeExpr& size);
std::vector<Expr> to_exprs(const std::vector<SizeExpr>& sizes);

}  // namespace tensordsl::ir
