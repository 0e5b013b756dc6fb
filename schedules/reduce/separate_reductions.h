// Accumulated Funcs, each a kernel of its own with a work-item for each element, then the outputs as
// data_movement runs them: where the outputs read accumulated values at indices that are not rows.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups whose anchors are reductions. Knobs: those of data_movement.
bool applies_separate_reductions(const definitions::StoredGroup& group, const Target& target);
void apply_separate_reductions(const definitions::StoredGroup& group, const Point& point,
                               const Target& target);
Space separate_reductions_space(const definitions::StoredGroup& group, const Target& target);

constexpr Strategy separate_reductions() {
  return {"separate_reductions", applies_separate_reductions, separate_reductions_space, nullptr,
          apply_separate_reductions};
}

}  // namespace tensordsl::schedules
