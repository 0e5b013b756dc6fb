// The names that a pipeline's definitions and directives leave free.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/function.h"

namespace tensordsl::lower {

/// The Params of definitions, shapes, bounds and conditions, and the extents "f_extent_0" that an output
/// without bound() has.
std::set<std::string> parameters_of(const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
