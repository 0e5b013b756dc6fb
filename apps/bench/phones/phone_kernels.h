// A padded 3x3 convolution of TVM on Mali's Table 1: the ways that its authors went, one after the other.
#pragma once

#include <cstdint>

#include "apps/bench/phones/published_phones.h"
#include "tensordsl/func.h"

namespace tensordsl::bench {

/// `way`: Simple, Unrolled, Vectorized or Winograd, f32, for work-items of a GPU that reads buffers.
Func phone_convolution(std::int64_t size, std::int64_t channels, PhoneWay way);

}  // namespace tensordsl::bench
