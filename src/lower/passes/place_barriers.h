// { fill tile (threads)  use tile (threads) }   ->   { fill tile  barrier local  use tile }
// Needs: thread loops still in place, local allocations marked.  Gives: a barrier between two statements of a
// work-group of which one writes local memory that the other touches, and at the end of a loop whose next
// iteration would overwrite what this one still reads; no other barriers.
#pragma once

#include <set>
#include <string>

#include "ir/stmt.h"

namespace tensordsl::lower {

ir::Stmt place_barriers(const ir::Stmt& stmt, const std::set<std::string>& synchronized = {});

}  // namespace tensordsl::lower
