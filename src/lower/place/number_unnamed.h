// f$41(v$17) = in(v$17 + 1)   ->   f0(v0) = in(v0 + 1)
// Needs: a pipeline as its user wrote it.  Gives: unnamed Vars, RDoms and Funcs numbered in the order in
// which they occur. Before, their numbers count through the whole process; kernels must depend on the
// pipeline alone.
#pragma once

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// Returns the outputs of a renamed copy, or `outputs` themselves if everything has a name.
std::vector<ir::FunctionPtr> number_unnamed(const std::vector<ir::FunctionPtr>& outputs);

}  // namespace tensordsl::lower
