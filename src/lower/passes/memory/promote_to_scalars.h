// for k { store out[i] = out[i] + e(k) }   ->
// alloc out.acc.0 register { acc = out[i]  for k { acc = acc + e(k) }  store out[i] = acc }
// Scalar promotion.
// Needs: loops unrolled and vectorized where they are to be, invariant tests outside of loops
// (unswitch_loops).  Gives: elements of global and local memory that every iteration of a loop reads and
// writes are in registers while it runs, and in the loops around it for which the same holds. A tensor stays
// in memory where it is accessed at an index that changes with the loop, or at two that may overlap; where it
// is stored under a test only; and where the loop has a barrier of its memory, after which other work-items
// read it. A loop that may not run is tested, as nothing may be written then. f16 stays in memory, as storing
// rounds it.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Keeps in registers the elements that each iteration of a loop reads and writes. `bounds`: ranges of the
/// indices of work-groups and work-items.
ir::Stmt promote_to_scalars(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
