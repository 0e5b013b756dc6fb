// for out.xo in [0, 14) block0 { for out.xi in [0, 4) thread0 { s } }   ->
//   s with out.xo := block0, out.xi := thread0; 14 work-groups of 4 work-items
// Needs: one nest per kernel.  Gives: a body without block and thread loops; every allocation's memory
// decided; barriers where work-items of a group exchange data; stores of a smaller nest left to part of the
// group.
#pragma once

#include <string>

#include "ir/simplify/simplify.h"
#include "lower/stages.h"

namespace tensordsl::lower {

/// Maps the kernel that computes `function`, with the Params in `bounds`. Throws ScheduleError if a block
/// loop is not outermost, a dimension is mapped twice, or a thread loop's extent has no constant bound.
KernelBody map_work_items(const KernelBody& kernel, const std::string& function, const ir::Bounds& bounds);

}  // namespace tensordsl::lower
