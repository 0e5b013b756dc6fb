// { fill tile (threads)  use tile (threads) }   ->   { fill tile  barrier local  use tile }
// Needs: thread loops still in place, local allocations marked.  Gives: a barrier between two statements of a
// work-group of which one writes an element of local memory that another work-item touches in the other, and
// at the end of a loop where one iteration and the next do; no other barriers. A work-item reads its own
// writes without a barrier: the initialization of a tile and its update by the same work-items, or the loop
// of one work-item over a sum.
//
// for t { f[t + 1] (threads) = .. f[t] .. }   ->   for t { ..  barrier global }
// Likewise between accesses of tensors in global memory that work-items of a group exchange.
#pragma once

#include <set>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Places barriers. `synchronized` has the tiles whose barriers are in place, `exchanged` the tensors in
/// global memory of which a work-item reads elements that others of its group write.
ir::Stmt place_barriers(const ir::Stmt& stmt, const std::set<std::string>& synchronized = {},
                        const std::set<std::string>& exchanged = {});

}  // namespace tensordsl::lower
