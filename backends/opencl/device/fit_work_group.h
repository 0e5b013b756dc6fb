// A work-group that a kernel can have instead of one that is too large.
#pragma once

#include <array>
#include <cstdint>

namespace tensordsl::opencl {

/// Halves the largest dimension of the group (the last one if several are equal) until it has at most
/// `allowed` work-items: 16x16x1 becomes 8x4x1 for 32. The smallest group is 1x1x1.
std::array<int, 3> fit_work_group(std::array<int, 3> group, std::int64_t allowed);

}  // namespace tensordsl::opencl
