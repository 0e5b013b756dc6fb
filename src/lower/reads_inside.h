// Whether numbers alone tell that a tensor is read inside its shape.
#pragma once

#include "ir/function.h"
#include "ir/stmt.h"

namespace tensordsl::lower {

/// True if every index of every read of the Input is within its extent, whatever conditions are around it, by
/// the ranges of the loops. False says nothing: infer_bounds.h knows more, and takes long where there are
/// hundreds of reads in as many branches.
bool is_known_inside(const ir::Stmt& stmt, const ir::Function& input);

}  // namespace tensordsl::lower
