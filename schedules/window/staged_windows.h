// out(y, x, c) = f(sum over ky, kx, i of in(y*s + ky, x*s + kx, i)*w(ky, kx, i, c))   ->   for each ky: the
// work-items of a group read the rows of `in` below the group's tile, and the weights of ky, into local
// memory, and add up their products from there
// For windows over few channels, which leave staged_product no depth: the first convolution of a network, and
// the patches of a transformer. The rows are read in the order of memory.
// Knobs: `vectors` of four channels and `pixels` of a work-item; `channel_threads`, `pixel_threads` and
// `row_threads` of a group; `buffers`: 2 reads the next row during the computation.
// Needs: a device whose work-groups have several work-items, with local memory on chip.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

bool applies_staged_windows(const definitions::StoredGroup& group, const Target& target);
Space staged_windows_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage staged_windows_storage(const definitions::StoredGroup& group, const Point& point);
void apply_staged_windows(const definitions::StoredGroup& group, const Point& point, const Target& target);
PointOutlines staged_windows_outlines(const definitions::StoredGroup& group, const Target& target);

constexpr Strategy staged_windows() {
  return {.name = "staged_windows",
          .applies = applies_staged_windows,
          .space = staged_windows_space,
          .wanted_storage = staged_windows_storage,
          .apply = apply_staged_windows,
          .fallback = "tiled_reduction",
          .outlines = staged_windows_outlines};
}

}  // namespace tensordsl::schedules
