// A total order of expressions by structure. Unlike an order by hash or address it is the same in every run
// and reads naturally: names in alphabetical order.
#pragma once

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// Returns a negative number, zero or a positive one as `a` comes before, equals, or comes after `b`.
int compare(const Expr& a, const Expr& b);

}  // namespace tensordsl::ir
