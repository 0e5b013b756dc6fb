// The operators of reductions.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::schedule {

/// Returns the value that changes nothing under Add, Mul, Min or Max, or what gives NaNs too: 0, 1, the
/// type's highest value, its lowest.
Expr identity_of(ir::ExprKind reduction, Type type);

}  // namespace tensordsl::schedule
