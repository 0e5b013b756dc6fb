// Algebraic simplification, and proofs by it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/nodes/interval.h"
#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

/// Constant bounds of variables in scope.
using Bounds = std::map<std::string, Interval, std::less<>>;

/// Rewrites to an equal, cheaper form:
///  - constants fold; the rules of simplify_rules.h apply (data, each checked by brute force);
///  - sums of i32 are put in one linear normal form, so (xo*4 + 3) - xo*4 becomes 3;
///  - `/` and `%` by constants lose what divides exactly: (x*8 + y)/8 -> x where 0 <= y < 8;
///  - comparisons, min and max are decided where `bounds` prove them;
///  - in select(c, a, b), a is simplified knowing c and b knowing !c, so a clamp that c implies goes away.
/// i32 index arithmetic is assumed not to overflow. Returns `expr` itself if nothing changed.
Expr simplify(const Expr& expr, const Bounds& bounds = {});

/// Simplifies every expression with the bounds of the loops around it; removes loops of extent 0, and
/// allocations without elements with all that touches them; substitutes loops of extent 1 (not block or
/// thread loops), decides Ifs, drops unused Lets, inlines trivial ones. May return an undefined Stmt if
/// nothing is left.
Stmt simplify(const Stmt& stmt, const Bounds& bounds = {});

/// Returns constant bounds of an integer expression.
Interval bounds_of(const Expr& expr, const Bounds& bounds = {});

/// True only if the Bool expression holds for all values within `bounds`.
bool can_prove(const Expr& condition, const Bounds& bounds = {});

/// Returns the value modulo `modulus` if it is the same for all values of the variables: 8*x + 3 modulo 4 is
/// 3. -1 if unknown.
std::int64_t remainder_of(const Expr& expr, std::int64_t modulus);

}  // namespace tensordsl::ir
