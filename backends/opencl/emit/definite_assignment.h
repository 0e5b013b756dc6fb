// { if (c) { store v[0] = 1 } else { store v[0] = 2 } }   ->   v is assigned
// if (c) { store v[0] = 1 }                               ->   v may not be
#pragma once

#include <string>

#include "ir/stmt.h"

namespace tensordsl::opencl {

/// Whether the variable has a value behind the statement, whatever tests and loops in it decide.
bool is_assigned(const ir::Stmt& stmt, const std::string& variable);

}  // namespace tensordsl::opencl
