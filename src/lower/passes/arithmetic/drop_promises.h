// in[promise_clamped(i[x], 0, 9)]   ->   in[i[x]]
// Needs: boxes and tests that rely on the promises.  Gives: the value without the promise.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt drop_promises(const ir::Stmt& stmt);
/// Drops the promises of an expression.
Expr without_promises(const Expr& expr);

}  // namespace tensordsl::lower
