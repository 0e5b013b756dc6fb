// for k { acc += select(1 <= block0, a[..], 0) }   ->
// if (1 <= block0) { for k { acc += a[..] } } else { for k { acc += 0 } }
// Needs: loops unrolled and vectorized where they are to be, simplified.  Gives: two copies of a loop's body
// if tests of reads or statements in it are loop-invariant: one without these tests, where all of them hold,
// and the original. The one test that chooses is outside the loop and the storage it uses, so a full tile of
// symbolic extents has a body as straight as one of constant extents, and the rest has the guarded one. The
// choice is the same for all work-items of a group: barriers inside are legal, and no work-item waits for a
// neighbor's branch. A loop whose body is one invariant test becomes that test with the loop in it. No kernel
// grows beyond kMaximumStores by this.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Moves loop-invariant tests out of loops. `bounds`: ranges of the indices of work-groups and work-items.
ir::Stmt unswitch_loops(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
