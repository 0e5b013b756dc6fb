#include "schedules/reduce/row_scan.h"

#include <algorithm>

#include "schedules/pointwise/data_movement.h"
#include "schedules/pointwise/update_rows.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

using definitions::StoredGroup;

bool applies_row_scan(const StoredGroup& group, const Target&) {
  return std::ranges::all_of(group.anchors, [](const Func& anchor) { return anchor.updates() > 0; });
}

Space row_scan_space(const StoredGroup& group, const Target& target) {
  return data_movement_space(group, target);
}

void apply_row_scan(const StoredGroup& group, const Point& point, const Target& target) {
  for (Func anchor : group.anchors) {
    anchor.compute_root();
    for (int stage = 0; stage <= anchor.updates(); ++stage) {
      Stage s = stage_of(anchor, stage);
      // Groups of one work-item are for cores: such a core fills its rows, too, from begin to end.
      std::vector<Var> rows =
          stage == 0 && point["items"] > 1 ? dims_of(anchor) : rows_of_update(anchor, stage);
      if (stage == 0 && rows.empty()) rows = dims_of(anchor);
      if (rows.empty()) continue;
      if (stage == 0) s.reorder(with_other_dims(rows, anchor));
      run_as_items(s, rows, point["items"]);
    }
  }
  apply_data_movement(group, point, target);
}

}  // namespace tensordsl::schedules
