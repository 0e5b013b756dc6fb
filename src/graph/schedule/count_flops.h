#pragma once

#include <cstdint>

#include "definitions/stored_group.h"

namespace tensordsl::graph {

/// Multiplications and additions of the group's contractions, where each element that is needed is computed
/// once; 0 for anything else.
std::int64_t count_flops(const StoredGroup& group);

}  // namespace tensordsl::graph
