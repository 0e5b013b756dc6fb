// Finds the ranges in which Funcs are needed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::definitions {

/// Returns the ranges of dimensions with these extents; other variables have no bounds.
ir::Bounds bounds_of_dims(const std::vector<std::string>& dims, const std::vector<Expr>& extents);

/// Returns the ranges in which each of `funcs` is needed: of its dimensions, where others of them read it,
/// and of the axes of its domains. The last Func is needed over its `extents`; producers come before readers.
std::map<const ir::Function*, ir::Bounds> bounds_of_funcs(const std::vector<ir::FunctionPtr>& funcs,
                                                          const std::vector<Expr>& extents);

}  // namespace tensordsl::definitions
