// Sums, and products of their results with constants, one after the other in one work-group.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups as graph/fuse/fuse_contractions.h makes them: each anchor but the first is a product that
/// contracts the result of the one before.
///
/// A work-group computes a row of the output, and before it the rows of all intermediate values of the chain,
/// which are in private memory on a CPU and in local memory elsewhere. On a CPU channels are vectors, and a
/// few of these stay in registers while they are summed up. Elsewhere they are work-items; if there are fewer
/// channels than work-items, several sum up parts.
///
/// Knobs: `vectors` of a tile of channels; `items` of a work-group.
bool applies_chained_sums(const definitions::StoredGroup& group, const Target& target);
Space chained_sums_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage storage_for_chained_sums(const definitions::StoredGroup& group, const Point& point);
void apply_chained_sums(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy chained_sums() {
  return {"chained_sums", applies_chained_sums, chained_sums_space, storage_for_chained_sums,
          apply_chained_sums};
}

}  // namespace tensordsl::schedules
