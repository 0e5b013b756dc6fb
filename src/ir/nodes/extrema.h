// The smaller and the larger of two values, where a NaN of either is the result, as NumPy's are. min() and
// max() of the language give the number instead, which devices have an instruction for.
#pragma once

#include "tensordsl/expr.h"

namespace tensordsl::ir {

/// Returns min(a, b), or a NaN if one of them is. Types meet as for min(); throws as it does.
Expr min_or_nan(Expr a, Expr b);

/// Returns max(a, b), or a NaN if one of them is. Types meet as for max(); throws as it does.
Expr max_or_nan(Expr a, Expr b);

}  // namespace tensordsl::ir
