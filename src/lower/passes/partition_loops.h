// for k in [0, 3) { acc += select(0 <= y + k - 1, a[y + k - 1], 0) }   ->
// for k in [0, first) { ...as before... } for k in [first, 3) { acc += a[y + k - 1] },
//   first = clamp(1 - y, 0, 3)
// Needs: constant loops unrolled where they are to be.  Gives: of an innermost serial loop whose tests around
// reads are of sums of its variable, three loops: in the middle one, which has all iterations of every point
// that is not near a border, the tests hold and are gone. A loop around a barrier stays whole.
#pragma once

#include "ir/simplify.h"
#include "ir/stmt.h"

namespace tensordsl::lower {

ir::Stmt partition_loops(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
