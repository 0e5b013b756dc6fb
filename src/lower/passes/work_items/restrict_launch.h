// groups [n/8, 1, 1], specialized for n % 8 == 0   ->   groups [select(n % 8 == 0, n/8, 0), 1, 1]
// Needs: the work-groups of a kernel.  Gives: no work-groups if another variant of the kernel does its work:
// a specialization runs if its condition holds and none before it does, and the specialized kernel runs if
// none holds. No work-groups either if no consumer reads the kernel's result.
#pragma once

#include "lower/stages.h"

namespace tensordsl::lower {

KernelBody restrict_launch(const KernelBody& kernel, const RootNest& nest);

}  // namespace tensordsl::lower
