// image[row, column]:f32x4   ->   image[row, column inside]:f32x4
// where 0 <= row < rows and 0 <= column < columns
// Needs: legal accesses of images, each Let an immutable name.  Gives: the reads of images whose coordinates
// are proven inside, by the ranges of loops and work-items and the tests around the statement. They need no
// sampler, so a compiler need not prepare the sampler's values of coordinates. Selects prove nothing: OpenCL
// evaluates both sides of a select of vectors.
// It runs after every pass that moves a read out of a test.
#pragma once

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"
#include "lower/lowered.h"

namespace tensordsl::lower {

ir::Stmt mark_inside_reads(const ir::Stmt& stmt, const Images& images, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
