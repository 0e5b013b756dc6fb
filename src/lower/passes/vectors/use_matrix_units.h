// for i in [0, 2) matrix { for j in [0, 2) matrix { for k in [0, 16) matrix {
//   acc[2*i + j] = acc[2*i + j] + f32(x[(thread0/4 + 8*i)*40 + k])*f32(w[(thread0%4*2 + j)*40 + k]) } } }
// -> let a.0 = x[ramp(thread0/4*40 + thread0%4*2, 1, 2)]  ...
//    let a.5 = w[ramp(thread0/4*40 + thread0%4*2 + 8, 1, 2)]
//    acc[ramp(0, 1, 4)] =
//        sub_group_multiply(concat(a.0, a.1, a.2, a.3), concat(a.4, a.5), acc[ramp(0, 1, 4)])
// Needs: unrolled loops, linear addresses.  Gives: no Matrix loops. The sums that each work-item of a
// sub-group would compute for its own rows (thread0/4) and columns (thread0%4) become one operation of the
// sub-group, for which each work-item holds a part of both factors. Operands that several consecutive
// operations use are read once.
// Source: PTX ISA, mma.sync; ir/nodes/sub_groups.h has the positions of the elements.
#pragma once

#include "lower/pass_context.h"

namespace tensordsl::lower {

/// Replaces Matrix loops by operations of matrix units. Throws ScheduleError if the loops are not a product
/// that a matrix unit computes, or the device is known to have none.
KernelBody use_matrix_units(const KernelBody& kernel, const PassContext& context);

}  // namespace tensordsl::lower
