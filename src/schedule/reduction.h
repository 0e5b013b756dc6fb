// The operators of reductions.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::schedule {

/// Returns the neutral value of Add, Mul, Min or Max, or of their variants that pass NaNs on: 0, 1, the
/// type's highest value, its lowest.
Expr identity_of(ir::ExprKind reduction, Type type);

}  // namespace tensordsl::schedule
