// in[row, column, ramp(0, 1, 4)]     ->   in[row, column]:f32x4                  a whole texel
// in[row, column, 2]                 ->   slice(in[row, column]:f32x4, 2, 1)
// in[row, column, k]                 ->   select(k == 0, slice(in[row, column]:f32x4, 0, 1), ...)
// store out[row, column, ramp(0, 1, 4)] = v   ->   store out[row, column] = v
// Needs: accesses of images at the coordinates of the texel, outermost first, and the element in it;
// vectorized, simplified.
// Gives: reads and writes of whole texels at scalar coordinates. Of a CL_R image a texel is one element.
// Throws ScheduleError if part of a texel is written.
#pragma once

#include <map>
#include <string>

#include "lower/lowered.h"

namespace tensordsl::lower {

/// True if the load is of an image that may be read at any coordinate, so that it needs no guard.
bool is_read_anywhere(const ir::ExprNode& load, const Images& images);

ir::Stmt legalize_image_accesses(const ir::Stmt& stmt, const Images& images);

}  // namespace tensordsl::lower
