// Tells by the ranges of loops alone whether a tensor is read inside its shape.
#pragma once

#include <string>
#include <vector>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// True if every index of every read of the tensor, one for each of its `extents`, is from 0 to its extent,
/// whatever conditions are around it, by the ranges of the loops and `condition`, which holds in each launch;
/// undefined: none. False says nothing: infer_bounds.h knows more, and takes long where there are hundreds
/// of reads in as many branches. Takes no Param to be positive.
bool is_known_inside(const ir::Stmt& stmt, const std::string& tensor, const std::vector<Expr>& extents,
                     const Expr& condition);

}  // namespace tensordsl::lower
