// alloc t: f32 [40] sub_group {
//   t[thread0] = e0; if (thread0 < 8) { t[thread0 + 32] = e1 }  out[..] = t[k] + t[thread0 + 1] }   ->
// alloc t: f32 [2] private { t[0] = e0; if (thread0 < 8) { t[1] = e1 }
//   t.0[0] = sub_group_broadcast(t[0], k)
//   t.1[0] = sub_group_shuffle(t[0], (thread0 + 1) % 32)
//   t.2[0] = sub_group_shuffle(t[1], (thread0 + 1) % 32)
//   out[..] = t.0[0] + select((thread0 + 1) / 32 == 0, t.1[0], t.2[0]) }
// Needs: work-items mapped, one index for each dimension, no Lets.  Gives: no allocation of Memory::SubGroup.
// Work-item i of a sub-group of n holds the elements i, i + n, ... of one dimension; elements of another one
// are exchanged before the statement that reads them, outside vectorized loops. The element that a work-item
// reads may depend on it, as long as it is in one of few registers. Source: the same idea is TVM's memory
// scope "warp".
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Replaces allocations of Memory::SubGroup by private ones. `work_items`: ranges of the indices of
/// work-groups and work-items. Throws ScheduleError if a tensor's elements are not computed by the work-items
/// that must hold them, or if a read element cannot be exchanged.
ir::Stmt lower_sub_group_storage(const ir::Stmt& stmt, const ir::Bounds& work_items);

}  // namespace tensordsl::lower
