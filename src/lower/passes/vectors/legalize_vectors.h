// in[ramp(x*2, 2, 4)]                          ->   concat(in[x*2], in[x*2 + 2], in[x*2 + 4], in[x*2 + 6])
// select(v < n, in[v], 0), v a vector          ->   concat(select(v0 < n, in[v0], 0), ...)
// select(a[v] < 0, exp(a[v]), b[v])            stays: the reads do not depend on where the test holds
// store out[ramp(x, 56, 4)] = v                ->
//   let out.value = v { store out[x] = slice(out.value, 0, 1) ... }
// Needs: vectorized, simplified, images accessed in texels.  Gives: vector loads and stores of consecutive
// elements only, and no vector load that a lane's condition was meant to prevent. Reading a texel outside an
// Image2D or Image2DArray does no harm, so those reads stay whole.
#pragma once

#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

ir::Stmt legalize_vectors(const ir::Stmt& stmt, const Images& images = {});

}  // namespace tensordsl::lower
