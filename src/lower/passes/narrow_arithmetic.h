// store out[i] = f16(f32(a[i])*f32(b[i]) + 1.0)   ->   store out[i] = a[i]*b[i] + 1.0:f16
// store acc[0] = acc[0] + f32(a[i])*f32(b[i])     ->   store acc[0] = acc[0] + f32(a[i]*b[i])
// Needs: f16 as what is stored only.  Gives: arithmetic on f16 where every operand is an f16 or a constant;
// what is f32, as a sum that was declared so, stays f32. For kernels with half_arithmetic(): devices with
// cl_khr_fp16 do it at up to twice the rate.
#pragma once

#include "ir/stmt.h"

namespace tensordsl::lower {

ir::Stmt narrow_arithmetic(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
