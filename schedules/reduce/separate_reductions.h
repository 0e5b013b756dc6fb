// Accumulated Funcs, each a kernel of its own with a work-item for each element, then the outputs as
// data_movement runs them: where the outputs read accumulated values at indices that are not rows.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// True for groups whose anchors are all reductions or contractions; each becomes a kernel of its own. Knobs:
/// as data_movement_space().
bool applies_separate_reductions(const definitions::StoredGroup& group, const Target& target);
void apply_separate_reductions(const definitions::StoredGroup& group, const Point& point,
                               const Target& target);
Space separate_reductions_space(const definitions::StoredGroup& group, const Target& target);

constexpr Strategy separate_reductions() {
  return {"separate_reductions", applies_separate_reductions, separate_reductions_space, nullptr,
          apply_separate_reductions};
}

}  // namespace tensordsl::schedules
