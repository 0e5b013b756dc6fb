// exp(x)    ->   select(x < -104.0, 0.0, select(89.0 < x, inf, exp(x)))
// erfc(x)   ->   select(10.1 < x, 0.0, erfc(x))
//
// The C library's vector functions compute a lane whose result is 0 or infinite separately, like one whose
// result is subnormal: a softmax of scores that differ much took 18 times as long. guard_math then gives such
// lanes harmless operands.
//
// Needs: as eliminate_common_subexpressions gives it, so that an operand is a name or little else.
// Gives: the same values.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::llvm_ir {

ir::Stmt limit_exponentials(const ir::Stmt& stmt);

}  // namespace tensordsl::llvm_ir
