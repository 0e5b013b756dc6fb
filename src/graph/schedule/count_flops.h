// matmul: x[32, 64] * w[64, 96]   ->   2 * 32 * 64 * 96 flops
// Needs: a group's definitions.  Gives: its arithmetic, for rooflines and reports.
#pragma once

#include <cstdint>

#include "definitions/stored_group.h"

namespace tensordsl::graph {

/// Multiplications and additions of the group's contractions, where each element that is needed is computed
/// once. 0 for anything else, and where an extent is not known.
std::int64_t count_flops(const definitions::StoredGroup& group);

}  // namespace tensordsl::graph
