// store p[0] = p[0] + a[x]*b[0]  store q[0] = q[0] + a[x]*b[1]   ->
// let t.0 = b[ramp(0, 1, 2)] { let t.1 = a[x] {
//   store p[0] = p[0] + t.1*slice(t.0, 0, 1)  store q[0] = q[0] + t.1*slice(t.0, 1, 1) } }
// Load coalescing. Needs: legal vectors, accesses in texels.  Gives: one read, before the first of them, for
// equal reads of several statements of a block, as long as nothing changes the memory: loads, and selects of
// which only one side loads, as a whole. Scalars from consecutive addresses, and vectors that overlap, are
// read as vectors, except by statements of eight lanes and more: their vector units broadcast a scalar as
// they read it.
#pragma once

#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

ir::Stmt coalesce_loads(const ir::Stmt& stmt, const Images& images = {});

}  // namespace tensordsl::lower
