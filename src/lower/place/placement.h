// Shared steps of placing a Func in the loops of another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Makes every index of `tensor` count from the corner of the box instead of from 0.
ir::Stmt rebase(const ir::Stmt& stmt, const std::string& tensor, const Box& box);

/// Enlarges `box` by the reads of the updates from their own Func. Throws DefinitionError if these are
/// unbounded.
Box with_own_reads(const Producer& p, const Box& box);

/// Returns the memory of a Func that is computed inside the loops of another.
ir::Memory memory_of(std::optional<MemoryScope> scope);

/// Wraps `body` in an allocation for each component of the Func.
ir::Stmt allocated(const Producer& p, ir::Memory memory, const std::vector<Expr>& extents, ir::Stmt body);

}  // namespace tensordsl::lower
