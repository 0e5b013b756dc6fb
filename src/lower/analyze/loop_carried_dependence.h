// Dependences between consecutive iterations of a loop.
#pragma once

#include <string>

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// False only if no element of `tensor` that one iteration writes is read or written by the next one, as
/// where they use two halves of it in turn. Needs one index per dimension.
bool has_loop_carried_dependence(const ir::StmtNode& loop, const std::string& tensor,
                                 const ir::Bounds& bounds);

/// Returns the ranges of the loops of `nest` whose ends are constant.
ir::Bounds constant_loops(const ir::Stmt& nest);

}  // namespace tensordsl::lower
