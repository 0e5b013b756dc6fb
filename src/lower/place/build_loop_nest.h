// out(x) = v, split(x, xo, xi, 4, Guard), over [m, m+E)   ->
//   for out.xo in [0, (E+3)/4) { for out.xi in [0, 4) { let out.x = m + out.xo*4 + out.xi
//     if (out.x < m+E) { store out[out.x] = v } } }
// Needs: an inlined definition, the stage's axes and transforms, the box to compute.
// Gives: loops of the requested kinds; the original variables as Lets, and the tests a Guard needs, as far
// out as their loops allow.
#pragma once

#include <optional>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Builds the nest of a specialization of the stage, or of the stage itself with -1.
ir::Stmt build_loop_nest(const Producer& producer, int stage, const Box& box, int specialization = -1);

/// Returns the box that an update of a Func over `box` reads of the same Func; empty if it reads nothing.
std::optional<Box> own_reads(const Producer& producer, int stage, const Box& box);

/// Rounds extents up so that every Tail::RoundUp of every stage divides: the box that is really computed.
Box round_up(const Producer& producer, const Box& box);

}  // namespace tensordsl::lower
