// let x = xo*4 + xi { store out[x] = a[x] }   ->   store out[xo*4 + xi] = a[xo*4 + xi]
// Needs: bounds inference is done (it wants the names). Gives: indices as sums of loop variables, so that the
// simplifier sees through them.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt inline_lets(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
