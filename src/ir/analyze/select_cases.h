// The cases of an index: x + select(c, a, b) is x + a where c holds, and x + b where it does not.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Most selects of one index that are distinguished by cases.
constexpr int kMaxSelectCases = 16;

/// Returns a select of scalars that is not inside a load. Undefined if there is none.
Expr first_select(const Expr& index);
/// Returns `index` where the condition of `choice`, a select in it, has the value `truth`.
Expr index_in_case(const Expr& index, const Expr& choice, bool truth);

}  // namespace tensordsl::ir
