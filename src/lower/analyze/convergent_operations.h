// Where the work-items of a group, or of a sub-group, must all come.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Whether there is a barrier or an operation of a sub-group in the statement, which may be undefined.
bool has_convergent_operation(const ir::Stmt& stmt);
bool has_barrier(const ir::Stmt& stmt);
bool has_sub_group_operation(const ir::Stmt& stmt);
/// Whether work-items of a sub-group ask each other for different values.
bool has_shuffle(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
