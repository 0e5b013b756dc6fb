// Facts about Params that follow from a condition which holds at the launch.
#pragma once

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

struct LaunchAssumptions {
  ir::Substitution values;  // n == 1024: n is 1024; n % 4 == 0: n is n/4*4
  ir::Bounds bounds;        // n >= 64: n is in [64, ...]
};

/// Returns a && b; an undefined condition always holds.
Expr both(const Expr& a, const Expr& b);

/// Returns the facts that the condition implies; none if it is undefined.
LaunchAssumptions assumptions_of(const Expr& condition);

/// True if the facts imply the test.
bool can_prove_with(const LaunchAssumptions& facts, const Expr& test);

}  // namespace tensordsl::lower
