// Extracts one lane of a vector expression.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::lower {

/// Returns the scalar in lane `lane`, with the choice pushed down to the leaves: ramp(b, s, n) -> b + lane*s,
/// a load of a vector -> a load of one element.
Expr lane_of(const Expr& expr, int lane);

}  // namespace tensordsl::lower
