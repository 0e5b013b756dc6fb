#pragma once

#include <cstdint>

#include "definitions/group.h"

namespace tensordsl {

/// Multiplications and additions of the group's contractions, where each element that is needed is computed
/// once; 0 for anything else.
std::int64_t count_flops(const Group& group);

}  // namespace tensordsl
