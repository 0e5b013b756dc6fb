// Finds f16 vectors that are only copied from one buffer or tile to another; they are not converted to float:
// r = x[ramp(i, 1, 8)]; ...; tile[ramp(j, 1, 8)] = r, all of f16   ->   r keeps the 16-bit values of memory
#pragma once

#include <set>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::opencl {

/// Returns the registers of f16 vectors that only carry elements of buffers or local memory to such memory:
/// they need not be converted to float. `half_buffers`: arguments of the kernel of that type.
std::set<std::string> copied_registers(const ir::Stmt& kernel, const std::set<std::string>& half_buffers);

/// True if `e` is the constant +0, also as a vector or through a cast.
bool is_zero(const Expr& e);
/// Returns x for `condition ? x : 0` with one condition for all lanes; else the expression.
Expr without_border(const Expr& e);

}  // namespace tensordsl::opencl
