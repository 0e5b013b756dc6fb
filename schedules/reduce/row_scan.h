// Funcs whose elements depend on others of the same row, such as prefix sums, scatters, or a list that grows:
// each is a kernel of its own with a work-item for each row, which runs through it in order. Then the
// outputs, as data_movement runs them.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups whose anchors are all accumulated in some way. Knobs: as data_movement_space().
bool applies_row_scan(const definitions::StoredGroup& group, const Target& target);
void apply_row_scan(const definitions::StoredGroup& group, const Point& point, const Target& target);
Space row_scan_space(const definitions::StoredGroup& group, const Target& target);

constexpr Strategy row_scan() {
  return {"row_scan", applies_row_scan, row_scan_space, nullptr, apply_row_scan};
}

}  // namespace tensordsl::schedules
