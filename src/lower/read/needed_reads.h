// out(x, y) = select(x <= y, f(x, y), 0), f(x, y) = in(y - x)   ->
// in is read at [0, 8) where the value is needed
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// True if every read of an Input that an element of the output depends on is proven to be inside, wherever
/// the Funcs between them are computed.
bool needs_inside_only(const std::vector<Producer>& producers, const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
