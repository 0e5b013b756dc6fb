// A sum and the windows that slide over it as one kernel: a pointwise and a depthwise convolution, a
// convolution and a pool.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups as graph/fuse/fuse_sliding_windows.h makes them, on targets whose work-groups run on one
/// thread.
///
/// A work-group computes some vectors of channels of a band of rows. Row by row, it computes the rows of the
/// sum that the windows need and that are not there yet, into as many rows of private memory as a window has,
/// and then the row of windows. Only where two bands meet are rows of the sum computed twice.
///
/// Knobs: `lanes` and `vectors` of a work-group's channels; `pixels` of the sum that are in registers with
/// these; `window_lanes`, `window_vectors` and `window_pixels` of the windows; `bands`.
bool applies_sliding_sums(const definitions::StoredGroup& group, const Target& target);
Space sliding_sums_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage storage_for_sliding_sums(const definitions::StoredGroup& group, const Point& point);
void apply_sliding_sums(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy sliding_sums() {
  return {"sliding_sums", applies_sliding_sums, sliding_sums_space, storage_for_sliding_sums,
          apply_sliding_sums};
}

}  // namespace tensordsl::schedules
