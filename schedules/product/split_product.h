// y(c) = f(sum over k of x(k)*w(k, c)), one row   ->   the work-items of a group take strided steps, and
// combine their sums through local memory
// Reading the weights takes the time: the weights of a group are contiguous, and neighboring work-items read
// neighboring weights.
// Knobs: `channel_threads`, each of which has four channels; `slices`, the work-items that share the steps of
// these; `unrolled`, steps of one work-item whose reads are in flight together.
// Needs: a device whose work-groups have several work-items.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

bool applies_split_product(const definitions::StoredGroup& group, const Target& target);
Space split_product_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage split_product_storage(const definitions::StoredGroup& group, const Point& point);
void apply_split_product(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy split_product() {
  return {.name = "split_product",
          .applies = applies_split_product,
          .space = split_product_space,
          .wanted_storage = split_product_storage,
          .apply = apply_split_product,
          .fallback = "tiled_reduction",
          .priced = PricedChoice::Elsewhere};
}

}  // namespace tensordsl::schedules
