// work-groups of [32, 4, 1] work-items with a sub_group_shuffle   ->   sub-groups of 32
// Needs: a body with its work-items.  Gives: the size of the sub-groups on which its operations rely, which
// is that of dimension 0; 0 without such operations.
#pragma once

#include "lower/pass_context.h"

namespace tensordsl::lower {

/// Throws ScheduleError if sub-groups cannot have that size, or the device is known not to have them.
KernelBody infer_sub_group_size(const KernelBody& kernel, const PassContext& context);

}  // namespace tensordsl::lower
