// for c in [0, 4) vectorized { store out[x*4 + c] = a[x*4 + c]*2.0 }   ->
//   store out[ramp(x*4, 1, 4)] = a[ramp(x*4, 1, 4)]*broadcast(2.0, 4)
// Needs: linear addresses, simplified.  Gives: no Vectorized loops. A test that differs between lanes leaves
// the vector form for when it holds in all of them, and falls back to one lane after the other. What only the
// right side of && or || reads is read in the lanes that need it: it becomes a side of a select.
#pragma once

#include <vector>

#include "ir/nodes/stmt.h"
#include "lower/code_features.h"

namespace tensordsl::lower {

/// Replaces Vectorized loops by vectors of `widths`. Throws ScheduleError if the extent is not a constant
/// that OpenCL has vectors for, or a Func is computed inside.
ir::Stmt vectorize_loops(const ir::Stmt& stmt, const std::vector<int>& widths);

}  // namespace tensordsl::lower
