// A work-group that a kernel can have instead of one that is too large.
#pragma once

#include <array>
#include <cstdint>

namespace tensordsl::opencl {

/// The group with its largest dimension halved, the last of equals, until it has at most `allowed`
/// work-items: 16x16x1 becomes 8x4x1 where 32 are allowed. At least 1x1x1.
std::array<int, 3> fit_work_group(std::array<int, 3> group, std::int64_t allowed);

}  // namespace tensordsl::opencl
