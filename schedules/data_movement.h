// Element-wise operators, copies, concatenations, padding: one vector of the innermost dimension at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "schedules/target.h"
#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// Schedules a pure Func that is stored. `extents` may be those of the part that is surely computed (a padded
/// Func computes a border more); `order` is the order in memory, outermost first.
void schedule_data_movement(Func f, const std::vector<std::int64_t>& extents, const std::vector<int>& order,
                            const Target& target);

/// A Func with updates whose elements are all independent, stored: Softmax's maximum and sum. Blocks over the
/// outputs, the reduction serial.
void schedule_row_reduction(Func f, const Target& target);

}  // namespace tensordsl::schedules
