// Constant operands -> a constant.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Returns the constant that `expr` is if all its operands are constants, computed by operations.h. Undefined
/// where the device or the reader of the expression decides better:
///  - an intrinsic, whose last bits are the device's choice; the minimum or maximum of 0.0 and -0.0, too;
///  - a result that is a NaN or an infinity;
///  - a sum, difference or product of i32 or i64 that overflows. (Narrow integers wrap.)
Expr fold_constants(const Expr& expr);

}  // namespace tensordsl::ir
