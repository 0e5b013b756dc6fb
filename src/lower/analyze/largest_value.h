// Bounds an expression from above inside loops, with common terms canceled.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// The loops around a statement.
struct LoopScope {
  ir::Bounds bounds;
  std::map<std::string, Expr> last{};  ///< last value of each variable, for those that start at 0
};

LoopScope with_loop(LoopScope scope, const ir::StmtNode& loop);

/// Returns an upper bound of `size`; above INT32_MAX / 2 if none is known. min(xo*4 + 3, n) - max(xo*4, 1)
/// has no bound as a sum of two, or a large one where xo has one, but is at most xo*4 + 3 - xo*4: no minimum
/// is above one of its sides, and no maximum below, nor is the quotient of one. In a loop of n steps, x + 8 -
/// n is at most 7.
std::int64_t largest_value(const Expr& size, const LoopScope& scope);

}  // namespace tensordsl::lower
