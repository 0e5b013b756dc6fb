// Several Funcs that are accumulated one after the other, such as the maximum and the sum of a softmax: each
// a kernel of its own with a work-item for each element, then the outputs as data_movement runs them.
#pragma once

#include "schedules/strategy.h"

namespace tensordsl::schedules {

/// For groups whose anchors are reductions. Knobs: those of data_movement.
bool applies_row_reduction(const Group& group, const Target& target);
void apply_row_reduction(const Group& group, const Point& point, const Target& target);
Space row_reduction_space(const Group& group, const Target& target);

constexpr Strategy row_reduction() {
  return {"row_reduction", applies_row_reduction, row_reduction_space, nullptr, apply_row_reduction};
}

}  // namespace tensordsl::schedules
