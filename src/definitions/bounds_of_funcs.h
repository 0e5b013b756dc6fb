// Which elements of Funcs are needed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::definitions {

/// What dimensions of these extents may be; nothing is known of those that are not here.
ir::Bounds bounds_of_dims(const std::vector<std::string>& dims, const std::vector<Expr>& extents);

/// Of each of `funcs` its dimensions, where others of them read it, and the axes of its domains. The last one
/// is needed over its `extents`; each comes after those it reads.
std::map<const ir::Function*, ir::Bounds> bounds_of_funcs(const std::vector<ir::FunctionPtr>& funcs,
                                                          const std::vector<Expr>& extents);

}  // namespace tensordsl::definitions
