// Variables of a kernel that need no initial value.
#pragma once

#include <unordered_set>

#include "ir/nodes/stmt.h"

namespace tensordsl::opencl {

/// Returns the allocations of registers that a store in their scope reaches, whatever tests and loops decide.
std::unordered_set<const ir::StmtNode*> assigned_registers(const ir::Stmt& kernel);

}  // namespace tensordsl::opencl
