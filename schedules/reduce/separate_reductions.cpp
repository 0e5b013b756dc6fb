#include "schedules/reduce/separate_reductions.h"

#include <algorithm>

#include "classify/classify.h"
#include "schedule/func_schedule.h"
#include "schedules/pointwise/data_movement.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

using classify::Class;
using definitions::StoredGroup;

bool applies_separate_reductions(const StoredGroup& group, const Target&) {
  return std::ranges::all_of(group.anchors, [&](const Func& anchor) {
    const Class kind = group.class_of(anchor).kind;
    return kind == Class::Reduction || kind == Class::Contraction;
  });
}

Space separate_reductions_space(const StoredGroup& group, const Target& target) {
  return data_movement_space(group, target);
}

void apply_separate_reductions(const StoredGroup& group, const Point& point, const Target& target) {
  for (Func anchor : group.anchors) {
    anchor.compute_root();
    for (int stage = 0; stage <= anchor.updates(); ++stage) {
      run_as_items(stage_of(anchor, stage), dims_of(anchor), point["items"]);
    }
  }
  apply_data_movement(group, point, target);
}

}  // namespace tensordsl::schedules
