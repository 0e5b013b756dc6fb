// The Funcs of a sum and of the windows that slide over it.
#pragma once

#include <optional>
#include <vector>

#include "definitions/group.h"
#include "schedules/choose_sliding_tile.h"
#include "tensordsl/func.h"
#include "tensordsl/layout.h"

namespace tensordsl::schedules {

struct SlidingParts {
  Func sum, result;  ///< the sum, and what becomes of it before the windows read it
  Func window, out;  ///< what is accumulated over windows, and what becomes of that
  /// Dimensions, the same of all four.
  int rows = 0, columns = 0, channel = 0;
  std::vector<int> others;
  SlidingProblem problem;
};

/// Of a group of two anchors: the second one accumulates windows of one channel, which slide over the rows
/// and columns of what is made of the first, a contraction. `extents` and `layout` are the output's; the
/// channels lie last. Nothing if the group is another, or an extent is no number.
std::optional<SlidingParts> sliding_parts(const Group& group, const std::vector<Expr>& extents,
                                          const Layout& layout);

}  // namespace tensordsl::schedules
