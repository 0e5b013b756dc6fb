// for x in [0, 2) unrolled { s }   ->   s[x := 0]  s[x := 1]
// Needs: extents that are constant or bounded by a constant (then each copy is tested).  Gives: no Unrolled
// loops.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Replaces Unrolled loops by copies of their bodies. Throws ScheduleError if an extent has no constant
/// bound, or is over 4096.
ir::Stmt unroll_loops(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
