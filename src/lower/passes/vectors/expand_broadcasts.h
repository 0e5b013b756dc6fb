// store c[0] = c[0] + broadcast(x, 4)*b[0]   ->   let v.0 = broadcast(x, 4) { store c[0] = c[0] + v.0*b[0] }
// Needs: legal vectors, shared loads.  Gives: every scalar operand of a vector operation first put into all
// lanes of a variable, once for each scalar that has a name. For kernels without autobroadcast(): vector
// hardware has no operation on a scalar and a vector. Constants stay in place, and so do values that only one
// side of a select evaluates.
// Source: Romou, section 4.1.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt expand_broadcasts(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
