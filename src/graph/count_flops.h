#pragma once

#include <cstdint>

#include "definitions/group.h"

namespace tensordsl {

/// Multiplications and additions of the group's contractions, whatever its kernels do; 0 for anything else.
std::int64_t count_flops(const Group& group);

}  // namespace tensordsl
