// conv.compute_at(out, xo):   for out.xo { for out.xi { store out[..] = conv[..] } }   ->
//   for out.xo { alloc conv: f32 [4] {
//     for conv.x in [out.xo*4, 4) {..}  for out.xi { store out[..] = conv[..] } } }
// Needs: inlined Producers. Gives: one nest per stage of every root Func, in the order of execution, with the
// others placed inside; every allocated tensor is indexed from 0.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Places the Funcs in loop nests. Throws ScheduleError if a compute_at names no loop, or a loop that does
/// not enclose every use; if the bound() of a Func is smaller than the box that its consumers read.
PlacedFunctions place_functions(const std::vector<Producer>& producers);

}  // namespace tensordsl::lower
