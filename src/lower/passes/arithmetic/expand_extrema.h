// store y[0] = max_or_nan(y[0], x[i])   ->   store y[0] = select(y[0] < x[i] || x[i] != x[i], x[i], y[0])
// Needs: nothing.  Gives: comparisons that code generators have. The operator is one node until here, because
// schedules reorder reductions that they recognize as associative. The first operand is the accumulator: a
// NaN in it compares false with every x, and stays.
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt expand_extrema(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
