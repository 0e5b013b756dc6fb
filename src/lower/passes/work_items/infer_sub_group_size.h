// work-groups of [32, 4, 1] work-items with a sub_group_shuffle   ->   sub-groups of 32
// Needs: a body with its work-items.  Gives: the size of the sub-groups on which its operations rely, the
// extent of dimension 0; 0 without such operations.
#pragma once

#include "lower/pass_context.h"

namespace tensordsl::lower {

/// Returns the kernel with the sub-group size that its operations need: the extent of dimension 0 of its
/// work-groups. Throws ScheduleError if that is not a size of sub-groups, or the device is known to have no
/// such sub-groups.
KernelBody infer_sub_group_size(const KernelBody& kernel, const PassContext& context);

}  // namespace tensordsl::lower
