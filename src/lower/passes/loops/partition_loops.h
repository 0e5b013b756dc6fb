// for k in [0, 3) { acc += select(0 <= y + k - 1, a[y + k - 1], 0) }   ->
// for k in [0, first) { acc += 0 }  for k in [first, 3) { acc += a[y + k - 1] },  first = clamp(1 - y, 0, 3)
// Needs: constant loops unrolled where they are to be, invariant tests outside (unswitch_loops).  Gives: for
// a serial loop with tests of reads or statements that begin or stop holding with its variable, up to three
// loops: in the middle one all of them hold and are removed; in the others those that always fail there are
// decided. Only tests in an innermost loop count, where they cost most. The bounds are the same for all
// work-items of a group, so barriers inside are legal and no work-item waits for a neighbor's border. Nests
// are split on every level; no statement is copied more than kMaximumCopies times, and fewer times if there
// are many: then the loop whose tests guard more reads is split.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Splits loops where their tests change, as above. `bounds`: ranges of the indices of work-groups and
/// work-items.
ir::Stmt partition_loops(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
