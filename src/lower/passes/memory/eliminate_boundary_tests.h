// select(0 <= x - 1 && x - 1 < 56, a[c, y, x - 1], 0)   ->   a[c, y, x - 1], of an image a with columns x
// Needs: one index per dimension, simplified.  Gives: the reads of an Image2D or Image2DArray without the
// tests that its sampler makes: outside the rows and columns it gives zero. A test goes only if, wherever it
// fails, the row or the column is provably outside the image; so of dimensions that share a coordinate only
// the outermost loses its tests, if the others are known to be in their ranges. A layer, which the sampler
// clamps, keeps its own.
// Source: named as future work by Romou, section 4.1.
#pragma once

#include <map>
#include <string>

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"
#include "lower/stages.h"

namespace tensordsl::lower {

ir::Stmt eliminate_boundary_tests(const ir::Stmt& stmt, const StoredTensors& tensors,
                                  const ir::Bounds& bounds);

}  // namespace tensordsl::lower
