// in[ramp(y*56 + x*4, 1, 4)]   ->   in[ramp(y*56 + x*4, 1, 4) align 4]
// Needs: legal vectors.  Gives: the largest power of two, up to the lanes of the vector, that the first index
// of every vector access is known to be a multiple of. Of a buffer that starts at a multiple of the vector's
// size, such a vector is read and written whole: vloadN promises the alignment of an element only, and of N
// elements NVIDIA's compiler makes N loads.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

ir::Stmt align_accesses(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
