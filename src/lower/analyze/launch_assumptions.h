// What a condition on Params says of them where it holds.
#pragma once

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

struct LaunchAssumptions {
  ir::Substitution values;  // n == 1024: n is 1024; n % 4 == 0: n is n/4*4
  ir::Bounds bounds;        // n >= 64: n is in [64, ...]
};

/// a && b, where undefined is always.
Expr both(const Expr& a, const Expr& b);

/// Of an undefined condition: nothing.
LaunchAssumptions assumptions_of(const Expr& condition);

/// Whether the test is known to hold where the facts do.
bool can_prove_with(const LaunchAssumptions& facts, const Expr& test);

}  // namespace tensordsl::lower
