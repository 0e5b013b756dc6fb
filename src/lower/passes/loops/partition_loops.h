// for k in [0, 3) { acc += select(0 <= y + k - 1, a[y + k - 1], 0) }   ->
// for k in [0, first) { acc += 0 }  for k in [first, 3) { acc += a[y + k - 1] },  first = clamp(1 - y, 0, 3)
// Needs: constant loops unrolled where they are to be, invariant tests outside (unswitch_loops).  Gives: of a
// serial loop with tests of reads or statements that begin or cease to hold with its variable, up to three
// loops: in the middle one all of them hold and are gone; in the others those are decided that always fail
// there. The tests count that stand in an innermost loop, where they cost most. The ends are the same for all
// work-items of a group, so barriers inside do no harm and no work-item waits for a neighbor's border.
// Nests are parted on every level; no statement is copied more than kMaximumCopies times, and fewer where
// there are many: then the loop is parted whose tests stand before more reads.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Takes the bounds of the indices of work-groups and work-items.
ir::Stmt partition_loops(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
