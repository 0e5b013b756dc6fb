// acc[0] = acc[0] + i32(a[i]:i8)*i32(b[j]:u8)        acc[0] = acc[0] + i32(a[i + 1]:i8)*i32(b[j + 1]:u8)
// acc[0] = acc[0] + i32(a[i + 2]:i8)*i32(b[j + 2]:u8)   acc[0] = acc[0] + i32(a[i + 3]:i8)*i32(b[j + 3]:u8)
// -> acc[0] = dot_product(a[ramp(i, 1, 4)]:i8x4, b[ramp(j, 1, 4)]:u8x4, acc[0])
// Needs: unrolled loops, linear addresses.  Gives: four steps of a sum of products of 8-bit integers, one
// after the other and neighbors in memory, are one operation, for devices that have an instruction for it.
// The sums are the same.
#pragma once

#include "lower/pass_context.h"

namespace tensordsl::lower {

KernelBody use_dot_products(const KernelBody& kernel, const PassContext& context);

}  // namespace tensordsl::lower
