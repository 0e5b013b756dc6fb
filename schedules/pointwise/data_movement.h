// Element-wise Funcs, copies, concatenations: one vector of the innermost dimension at a time.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For every group whose outputs are pure; Funcs that are accumulated are computed at the root, as lowering
/// does it. Knobs: `lanes` of a vector, `items` of a work-group. On a CPU, where an item is a group of its
/// own, outer loops become groups, as few of them as keep the units busy.
bool applies_data_movement(const definitions::StoredGroup& group, const Target& target);
Space data_movement_space(const definitions::StoredGroup& group, const Target& target);
void apply_data_movement(const definitions::StoredGroup& group, const Point& point, const Target& target);
/// True for one output where nothing is accumulated.
bool data_movement_reads_texels(const definitions::StoredGroup& group, const Point& point,
                                std::size_t operand);
bool data_movement_writes_texels(const definitions::StoredGroup& group, const Point& point);

constexpr Strategy data_movement() {
  return {"data_movement",     applies_data_movement,      data_movement_space,        nullptr,
          apply_data_movement, data_movement_reads_texels, data_movement_writes_texels};
}

}  // namespace tensordsl::schedules
