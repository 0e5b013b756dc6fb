// f$41(v$17) = in(v$17 + 1)   ->   f0(v0) = in(v0 + 1)
// Needs: a pipeline as its user wrote it.  Gives: the same with the unnamed Vars, RDoms and Funcs numbered in
// the order in which they occur in it. They are numbered through the whole process before, so that they
// differ; kernels depend on the pipeline alone.
#pragma once

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// The outputs of a copy, or `outputs` themselves if all that occurs in them has a name.
std::vector<ir::FunctionPtr> number_unnamed(const std::vector<ir::FunctionPtr>& outputs);

}  // namespace tensordsl::lower
