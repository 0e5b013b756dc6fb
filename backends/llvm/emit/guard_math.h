// select(c, exp(x), 0.0)   ->   select(c, exp(select(c, x, 0.5)), 0.0)
//
// A select of vectors computes both sides in all lanes. The C library's functions of vectors do lanes whose
// operands are special, such as the exponential of a large number, one by one, and a lane that is not
// selected often has such a one. There the operands become numbers that are easy for the function.
//
// Needs: as eliminate_common_subexpressions gives it, so that a function is not called elsewhere, too.
// Gives: the same values.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::llvm_ir {

ir::Stmt guard_math(const ir::Stmt& stmt);

}  // namespace tensordsl::llvm_ir
