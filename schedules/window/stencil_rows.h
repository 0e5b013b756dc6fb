// Stencils: each work-item computes a few rows of a vector, and keeps in registers what they have in common.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For one pure output, nothing accumulated, that reads neighboring rows of something, be it in a Func that
/// is computed inline. Knobs: `rows` of a work-item, unrolled: what several of them read is read once, and
/// what they compute alike is computed once; `lanes` of a vector; `items` of a work-group.
bool applies_stencil_rows(const definitions::StoredGroup& group, const Target& target);
Space stencil_rows_space(const definitions::StoredGroup& group, const Target& target);
void apply_stencil_rows(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy stencil_rows() {
  return {"stencil_rows", applies_stencil_rows, stencil_rows_space, nullptr, apply_stencil_rows};
}

}  // namespace tensordsl::schedules
