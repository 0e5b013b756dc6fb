// Arrays of a kernel that are variables of a work-item.
#pragma once

#include <set>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Returns the names of the allocations in Memory::Register.
std::set<std::string> register_names(const ir::Stmt& kernel);

}  // namespace tensordsl::lower
