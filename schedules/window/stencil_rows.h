// Stencils: each work-item computes a few rows of a vector, and keeps values that the rows share in
// registers.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For one pure output, nothing accumulated, that reads neighboring rows of a Func or Input, possibly in a
/// Func that is computed inline. Knobs: `rows` of a work-item, unrolled: shared reads and shared values are
/// read and computed once; `lanes` of a vector; `items` of a work-group.
bool applies_stencil_rows(const definitions::StoredGroup& group, const Target& target);
Space stencil_rows_space(const definitions::StoredGroup& group, const Target& target);
void apply_stencil_rows(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy stencil_rows() {
  return {"stencil_rows", applies_stencil_rows, stencil_rows_space, nullptr, apply_stencil_rows};
}

}  // namespace tensordsl::schedules
