// y(n, c) += x(n, r_0)*w(c, r_0, r_1), r_1 in [0, 1)   ->   y(n, c) += x(n, r_0)*w(c, r_0, 0)
#pragma once

#include "ir/nodes/function.h"
#include "tensordsl/func.h"

namespace tensordsl::definitions {

/// Replaces axes of one step by their value, except for the last axis that is left.
void drop_unit_axes(ir::Definition& definition);

/// Returns a Func with the definitions of `func` without unit axes.
Func without_unit_axes(const Func& func);

}  // namespace tensordsl::definitions
