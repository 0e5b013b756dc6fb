// store out[x] = (a[x]*b + 1.0)*sqrt(a[x]*b + 1.0)   ->
//   let s.0 = a[x]*b + 1.0 { store out[x] = s.0*sqrt(s.0) }
// store out[x] = select(c, (a[x]*b + 1.0)*sqrt(a[x]*b + 1.0), 0.0)   ->
//   let s.0 = select(c, a[x]*b + 1.0, 0.0) { store out[x] = select(c, s.0*sqrt(s.0), 0.0) }
// Needs: legal vectors.  Gives: a statement whose text grows with the distinct sub-expressions, not with the
// paths to them. A load that only one side of a select, && or || makes is moved out of it with its condition,
// but for a texel of an Image2D or Image2DArray, which may be read anywhere.
#pragma once

#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

ir::Stmt eliminate_common_subexpressions(const ir::Stmt& stmt, const Images& images = {});

}  // namespace tensordsl::lower
