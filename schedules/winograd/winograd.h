// 3x3 convolutions by Winograd's F(2x2,3x3) or F(4x4,3x3).
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For the groups of graph/winograd/use_winograd.h, on targets whose work-groups run on one thread.
///
/// A work-group computes a block of tiles for a few vectors of output channels. It transforms some input
/// channels of the block into private memory, in vectors of channels; multiplies them, for each of the 16 or
/// 36 points with the sums of all tiles in registers; and continues with the next input channels. The output
/// is transformed when it is stored.
///
/// Knobs: `vectors` of output channels, `inputs` that are transformed at a time, `lanes` of a vector.
bool applies_winograd(const definitions::StoredGroup& group, const Target& target);
Space winograd_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage storage_for_winograd(const definitions::StoredGroup& group, const Point& point);
void apply_winograd(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy winograd() {
  return {"winograd", applies_winograd, winograd_space, storage_for_winograd, apply_winograd};
}

}  // namespace tensordsl::schedules
