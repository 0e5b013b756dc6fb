// f$41(v$17) = in(v$17 + 1)   ->   f0(v0) = in(v0 + 1)
// Needs: the user's pipeline.  Gives: unnamed Vars, RDoms and Funcs numbered in the order in which they
// occur. Before, the numbers count through the whole process, but kernels must depend only on the pipeline.
#pragma once

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// Returns the outputs of a renamed copy, or `outputs` themselves if everything has a name.
std::vector<ir::FunctionPtr> number_unnamed(const std::vector<ir::FunctionPtr>& outputs);

}  // namespace tensordsl::lower
