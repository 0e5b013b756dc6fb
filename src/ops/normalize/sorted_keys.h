// Elements in their order, by keys: runs of them are merged until they are one.
#pragma once

#include "ops/normalize/composition.h"

namespace tensordsl::normalize {

/// For each element of x [length], i32, how many different ones are smaller: equal ones have the same number.
std::string ranks_by_keys(Composition& nodes, const std::string& x, std::int64_t length);

}  // namespace tensordsl::normalize
