// for r in [0, 9) { if (r <= y && r < count[x]) s }   ->
// let r.end = min(min(9, y + 1), count[x])  for r in [0, r.end) { s }
// for r in [0, 9) { if (r <= y) s  if (r <= y + 1) t }   ->
// for r in [0, y + 2) { if (r <= y) s  if (r <= y + 1) t }
// Needs: loop invariants outside of loops (unswitch_loops).  Gives: for a serial loop whose body is inside a
// test that stops or begins to hold at some iteration, only the iterations in which it holds; so a triangle
// takes half the time of its box, and its sum may stay in a register. If the body has several tests side by
// side, the iterations in which one of them holds.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Limits serial loops to the iterations in which their test holds. `bounds`: ranges of the indices of
/// work-groups and work-items.
ir::Stmt trim_loops(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
