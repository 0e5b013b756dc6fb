// The work-items of a group as loops of one thread, for devices whose threads run whole groups.
//
//   local t[4] {                          private t[4] {
//     t[thread0] = a[thread0]               for item in [0, 4) { t[item] = a[item] }
//     barrier local                   ->    for item in [0, 4) { b[item] = t[3 - item] }
//     b[thread0] = t[3 - thread0]         }
//   }
//
// A statement without a barrier becomes a loop over the work-items. One with a barrier is split at it; its
// uniform loops and tests go around the loops over the work-items. Values that a work-item keeps across a
// barrier become an array with a part for each work-item: registers, private arrays, and named values that
// are read from memory; other named values are recomputed. Operations of a sub-group are split the same way,
// one sub-group at a time.
//
// Needs: a kernel as lower() gives it.  Gives: groups of one work-item, without barriers, operations of
// sub-groups and local memory.  Source: Jaaskelainen et al., "pocl: A Performance-Portable OpenCL
// Implementation", section 4.
#pragma once

#include "lower/lowered.h"

namespace tensordsl::lower {

/// Returns the kernel with its work-items as loops. Throws ScheduleError on a product of matrices by a
/// sub-group.
LoweredKernel as_work_group_loops(const LoweredKernel& kernel);

}  // namespace tensordsl::lower
