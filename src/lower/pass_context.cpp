#include "lower/pass_context.h"

#include <cstdint>

namespace tensordsl::lower {

using namespace ir;

Bounds bounds_of_indices(const KernelBody& kernel, const PassContext& context) {
  Bounds bounds = context.assumptions.bounds;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t* groups = as_int(kernel.groups[d]);
    bounds[kBlockNames[d]] = {0, groups ? *groups - 1 : INT32_MAX};
    bounds[kThreadNames[d]] = {0, kernel.group_size[d] - 1};
  }
  return bounds;
}

}  // namespace tensordsl::lower
