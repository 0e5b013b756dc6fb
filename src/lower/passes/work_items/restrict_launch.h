// groups [n/8, 1, 1], specialized for n % 8 == 0   ->   groups [select(n % 8 == 0, n/8, 0), 1, 1]
// Needs: the work-groups of a kernel.  Gives: none where another variant of the kernel does its work: a
// specialization runs where its condition holds and none before it does, and what is specialized where none
// holds. None either where nothing reads what the kernel computes.
#pragma once

#include "lower/stages.h"

namespace tensordsl::lower {

KernelBody restrict_launch(const KernelBody& kernel, const RootNest& nest);

}  // namespace tensordsl::lower
