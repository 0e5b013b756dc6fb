// x/8  ->  shift_right(x, 3)                   x%8  ->  bitwise_and(x, 7)
// x/6  ->  truncating_div(x, 6)                x%6  ->  truncating_mod(x, 6)            where 0 <= x is known
// x/6  ->  truncating_div(x, 6) + shift_right(truncating_mod(x, 6), 31)                 where it is not
// x%6  ->  truncating_mod(x, 6) + bitwise_and(shift_right(truncating_mod(x, 6), 31), 6)
// Needs: legal vectors; `bounds` of the free variables.  Gives: operations that hardware has in place of the
// floored divisions of integers by positive constants, and by what is known to be positive where the dividend
// is not negative; of vectors like of scalars. The others, which a backend calls a function for, stay. The
// third form contains the dividend twice.
#pragma once

#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

ir::Stmt reduce_strength(const ir::Stmt& stmt, const ir::Bounds& bounds = {});

}  // namespace tensordsl::lower
