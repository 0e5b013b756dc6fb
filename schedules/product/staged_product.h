// out(p, c) = f(sum over k of x(p, k)*w(k, c))   ->   for each chunk of k: the work-items of a group read the
// group's tiles of x and w into local memory, side by side, and add up their products from there
// Convolutions are such products, with a chunk for each tap.
// Knobs: `vectors` of four channels and `pixels` of a work-item; `channel_threads`, `pixel_threads` and
// `row_threads` of a group; `depth` of a chunk; `slices` of it, each of which has its own work-items, whose
// results are added up through local memory in the end; `buffers`: 2 reads the next chunk during the
// computation; `unrolled`: the steps that a loop writes out.
// Needs: a device whose work-groups have several work-items, with local memory on chip.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

bool applies_staged_product(const definitions::StoredGroup& group, const Target& target);
Space staged_product_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage staged_product_storage(const definitions::StoredGroup& group, const Point& point);
void apply_staged_product(const definitions::StoredGroup& group, const Point& point, const Target& target);
PointOutlines staged_product_outlines(const definitions::StoredGroup& group, const Target& target);

constexpr Strategy staged_product() {
  return {.name = "staged_product",
          .applies = applies_staged_product,
          .space = staged_product_space,
          .wanted_storage = staged_product_storage,
          .apply = apply_staged_product,
          .fallback = "tiled_reduction",
          .outlines = staged_product_outlines,
          .priced = PricedChoice::Elsewhere};
}

}  // namespace tensordsl::schedules
