// for i in [0, n) { store out[y*56 + x + i*8 + 1] = a[y*56 + x + i*8] }   ->
// let a.0 = y*56 + x { for i in [0, n) { let a.1 = a.0 + i*8 { store out[a.1 + 1] = a[a.1] } } }
// Needs: simplified addresses. Gives: every sum cut at the levels of the loops its terms belong to, each part
// computed once, in a variable of the outermost loop in which its operands exist. Addresses that differ by a
// constant share one variable; the longest common part is what is shared.
// Source: common address-calculation elimination, Romou, Algorithm 1, carried over whole loop nests.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt hoist_addresses(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
