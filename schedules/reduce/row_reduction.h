// Sums and maxima of rows and functions of them, in one kernel: softmax, norms, means.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups whose output reads accumulated values of its row (schedules/reduce/rows.h): several anchors, or
/// rows of several elements, or a reduction without windows that runs along neighbors in memory.
///
/// On a CPU a work-group computes some rows, one after the other, in vectors: along the row if the reduction
/// runs along neighbors in memory, else across rows. Elsewhere, if the reduction runs along a row, a
/// work-group computes a row: first in `parts`, over several reduction axes together if one is short, which
/// it then adds up in local memory. Otherwise each work-item computes a row by itself, next to its neighbor's
/// row.
///
/// Knobs: `lanes` of the output's vectors, `parts` of a reduction along the row, `items` of a work-group, and
/// `rows` of a work-group on a CPU.
bool applies_row_reduction(const definitions::StoredGroup& group, const Target& target);
Space row_reduction_space(const definitions::StoredGroup& group, const Target& target);
void apply_row_reduction(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy row_reduction() {
  return {"row_reduction", applies_row_reduction, row_reduction_space, nullptr, apply_row_reduction};
}

}  // namespace tensordsl::schedules
