// A sum, minimum or maximum with few results, in parts that run at the same time: histograms, and sums over
// everything.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For one output with one update, associative, over axes of which the outermost has a constant extent. Each
/// part is a row of a Func of its own (rfactor); a second kernel adds them up. Knobs: `parts`, `items` of a
/// work-group.
bool applies_update_in_parts(const definitions::StoredGroup& group, const Target& target);
Space update_in_parts_space(const definitions::StoredGroup& group, const Target& target);
void apply_update_in_parts(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy update_in_parts() {
  return {"update_in_parts", applies_update_in_parts, update_in_parts_space, nullptr, apply_update_in_parts};
}

}  // namespace tensordsl::schedules
