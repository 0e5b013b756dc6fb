// Computes each element by a work-item of its own, with all sums that it needs, in registers.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For one pure output that reads accumulated values, tuples as well. Knobs: `lanes` of a vector, `items` of
/// a work-group.
bool applies_per_item(const definitions::StoredGroup& group, const Target& target);
Space per_item_space(const definitions::StoredGroup& group, const Target& target);
void apply_per_item(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy per_item() {
  return {"per_item", applies_per_item, per_item_space, nullptr, apply_per_item};
}

}  // namespace tensordsl::schedules
