// A quick proof, only from the ranges of loops, that a tensor is read inside its shape.
#pragma once

#include <string>
#include <vector>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// True if every index of every read of the tensor, one for each of its `extents`, is from 0 to its extent,
/// by the ranges of the loops and by `condition`, which holds in each launch (none if undefined). Conditions
/// around reads are ignored. False means unknown: infer_bounds.h knows more, but takes long for hundreds of
/// reads in as many branches. Takes no Param to be positive.
bool is_known_inside(const ir::Stmt& stmt, const std::string& tensor, const std::vector<Expr>& extents,
                     const Expr& condition);

}  // namespace tensordsl::lower
