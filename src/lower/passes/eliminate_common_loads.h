// store p[0] = p[0] + a[x]*b[0]  store q[0] = q[0] + a[x]*b[1]   ->
// let t.0 = a[x] { store p[0] = p[0] + t.0*b[0]  store q[0] = q[0] + t.0*b[1] }
// Needs: legal vectors, accesses in texels. Gives: what several statements of a block read from a tensor that
// the kernel does not write is read once, before the first of them. A read that only one side of a select
// makes stays there, but for a texel of an Image2D or Image2DArray, which may be read anywhere.
#pragma once

#include "lower/passes/legalize_image_accesses.h"

namespace tensordsl::lower {

ir::Stmt eliminate_common_loads(const ir::Stmt& stmt, const Images& images = {});

}  // namespace tensordsl::lower
