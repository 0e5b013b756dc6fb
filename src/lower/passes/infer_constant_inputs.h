// body of a kernel   ->   the buffers of which all work-items of a group read the same element at a time
// Needs: the final body.  Gives: names; the small Inputs among them go into the constant address space, whose caches serve one
// address to all work-items at once. No index of such a buffer depends on the work-item, or on memory.
#pragma once

#include <set>
#include <string>

#include "ir/stmt.h"

namespace tensordsl::lower {

std::set<std::string> infer_constant_inputs(const ir::Stmt& body);

}  // namespace tensordsl::lower
