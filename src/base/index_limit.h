// Limit of the size of a tensor.
#pragma once

#include <cstdint>

namespace tensordsl {

/// Kernels compute indices in i32. Loops with a guarded tail run past the end of a dimension, so a tensor
/// stays this far below 2^31 stored elements, padding included.
inline constexpr std::int64_t kMaxElements = (std::int64_t{1} << 31) - (std::int64_t{1} << 24);

}  // namespace tensordsl
