#include "backends/opencl/device/fit_work_group.h"

#include <algorithm>

namespace tensordsl::opencl {

std::array<int, 3> fit_work_group(std::array<int, 3> group, std::int64_t allowed) {
  const auto items = [&] { return std::int64_t{group[0]} * group[1] * group[2]; };
  while (items() > std::max<std::int64_t>(allowed, 1)) {
    int& largest = *std::max_element(group.rbegin(), group.rend());
    largest /= 2;
  }
  return group;
}

}  // namespace tensordsl::opencl
