// Operations that all work-items of a group, or of a sub-group, must reach together.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// True if the statement, which may be undefined, has a barrier or an operation of a sub-group.
bool has_convergent_operation(const ir::Stmt& stmt);
bool has_barrier(const ir::Stmt& stmt);
bool has_sub_group_operation(const ir::Stmt& stmt);
/// True if the work-items of a sub-group read different values from each other.
bool has_shuffle(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
