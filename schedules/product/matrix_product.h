// out(p, c) = f(sum over k of x(p, k)*w(k, c)), x and w of f16   ->   for each chunk of k: the work-items of
// a group read the group's tiles of x and w into local memory, and sub-groups of 32 multiply these as
// matrices. Convolutions are such products, with a chunk for each tap.
// Knobs: `row_tiles` of 16 pixels and `column_tiles` of 8 channels of a sub-group; `pixel_warps`,
// `channel_warps` and `row_warps`, sub-groups of a group; `depth` of a chunk; `buffers`: 2 reads the next
// chunk during the work.
// Needs: a device with matrix units. Source: PTX ISA, mma.sync; tiles as in staged_product.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

bool applies_matrix_product(const definitions::StoredGroup& group, const Target& target);
Space matrix_product_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage matrix_product_storage(const definitions::StoredGroup& group, const Point& point);
void apply_matrix_product(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy matrix_product() {
  return {.name = "matrix_product",
          .applies = applies_matrix_product,
          .space = matrix_product_space,
          .wanted_storage = matrix_product_storage,
          .apply = apply_matrix_product,
          .priced = PricedChoice::Elsewhere};
}

}  // namespace tensordsl::schedules
