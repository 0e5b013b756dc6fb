// The names that a pipeline's definitions and directives leave free.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/function.h"

namespace tensordsl::lower {

/// The Params, and the extents "f_extent_0" that an output without bound() has. Every other variable that occurs in a
/// definition is among them too: what they bind, loops do.
std::set<std::string> parameters_of(const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
