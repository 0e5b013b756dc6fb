// Convolutions, matrix products, depthwise convolutions, poolings: a register tile of vectors per work-item,
// accumulated over the reduction, with whatever is fused behind it applied as it is stored.
#pragma once

#include <cstdint>
#include <vector>

#include "schedules/choose_tile.h"
#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// What is scheduled. `output` has its layout set; `reduction` has the same dimensions.
struct TiledReduction {
  Func output;
  Func reduction;
  std::vector<std::int64_t> extents;  ///< of the output
  std::vector<int> order;             ///< dimensions as they lie in memory, outermost first
  int unrolled_axes = 0;              ///< innermost reduction axes that are unrolled
};

void schedule_tiled_reduction(const TiledReduction& kernel, const Tile& tile);

}  // namespace tensordsl::schedules
