#include "schedules/pointwise/per_item.h"

#include <algorithm>

#include "schedules/pointwise/data_movement.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

using definitions::StoredGroup;

bool applies_per_item(const StoredGroup& group, const Target&) {
  return group.outputs.size() == 1 && group.outputs[0].updates() == 0 &&
         std::ranges::any_of(group.anchors, [](const Func& anchor) { return anchor.updates() > 0; });
}

Space per_item_space(const StoredGroup& group, const Target& target) {
  Space space = data_movement_space(group, target);
  space.first.set("lanes", 1);
  return space;
}

void apply_per_item(const StoredGroup& group, const Point& point, const Target& target) {
  for (Func anchor : group.anchors) {
    if (anchor.updates() > 0) anchor.compute_inline();
  }
  apply_data_movement(group, point, target);
}

}  // namespace tensordsl::schedules
