// store out[i] = f16(max(f32(a[i]), 0.0))   ->   store out[i] = max(a[i], 0.0:f16)
// and in kernels with half_arithmetic():
// store out[i] = f16(f32(a[i])*f32(b[i]) + 1.0)   ->   store out[i] = a[i]*b[i] + 1.0:f16
// store acc[0] = acc[0] + f32(a[i])*f32(b[i])   ->   store acc[0] = acc[0] + f32(a[i]*b[i])
//
// Needs: casts to f16 as the definitions have them.  Gives: no cast that rounds what is an f16 already. Where
// the kernel may compute in f16, arithmetic on f16 where every operand is an f16 or a constant: devices with
// cl_khr_fp16 do it at up to twice the rate. f32 values, such as a sum that was declared as f32, stay f32.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt narrow_arithmetic(const ir::Stmt& stmt, bool half_arithmetic);

}  // namespace tensordsl::lower
