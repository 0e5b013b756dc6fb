// let t = a[ramp(x, 1, 2)] { store b[x] = slice(t, 0, 1) + slice(t, 1, 1) }   ->
// let lane.0 = a[x] { let lane.1 = a[x + 1] { store b[x] = lane.0 + lane.1 } }
//
// Needs: linear addresses.  Gives: a vector of which nothing but single lanes is used is read lane by lane.
// LLVM makes vectors of the rounds of a loop, but not where a round has vectors of its own. Neighbors it
// reads together by itself.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::llvm_ir {

ir::Stmt separate_lanes(const ir::Stmt& stmt);

}  // namespace tensordsl::llvm_ir
