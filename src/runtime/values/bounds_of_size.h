// Bounds of sizes, as intervals.
#pragma once

#include <functional>
#include <string>

#include "ir/nodes/interval.h"
#include "tensordsl/size_expr.h"

namespace tensordsl::runtime {

/// Returns an interval that holds the size for all values of its names within theirs.
ir::Interval bounds_of(const SizeExpr& size, const std::function<ir::Interval(const std::string&)>& bounds);

}  // namespace tensordsl::runtime
