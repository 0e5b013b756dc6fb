// What places a Func in the loops of another has in common, wherever it is stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Every index of `tensor` counts from the box's corner instead of from 0.
ir::Stmt rebase(const ir::Stmt& stmt, const std::string& tensor, const Box& box);

/// `box` with what the updates read of their own Func elsewhere. Throws DefinitionError if that has no end.
Box with_own_reads(const Producer& p, const Box& box);

/// Where what is computed inside the loops of another Func is kept.
ir::Memory memory_of(std::optional<MemoryScope> scope);

/// `body` with a place for each component of the Func.
ir::Stmt allocated(const Producer& p, ir::Memory memory, const std::vector<Expr>& extents, ir::Stmt body);

}  // namespace tensordsl::lower
