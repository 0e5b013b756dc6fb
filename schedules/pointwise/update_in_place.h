// A Func that is stored while it is accumulated: its start, then each of its updates, by kernels of their
// own.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For one output with updates. Work-items share the dimensions that the updates never mix. Along the others
/// an update runs in its order and accumulates an element in a register where that is possible. Knobs:
/// `lanes` of a vector, `pixels` that a work-item computes for each vector, `items` of a work-group.
bool applies_update_in_place(const definitions::StoredGroup& group, const Target& target);
Space update_in_place_space(const definitions::StoredGroup& group, const Target& target);
void apply_update_in_place(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy update_in_place() {
  return {"update_in_place", applies_update_in_place, update_in_place_space, nullptr, apply_update_in_place};
}

}  // namespace tensordsl::schedules
