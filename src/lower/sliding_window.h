// blur_x stored outside of the loop y, computed inside it, where y needs rows [y - 2, y + 3)   ->
//   before the loop:  rows [-2, 2), what its first iteration needs and each later one finds there
//   in iteration y:   rows [max(y - 2, y + 2), y + 3), of which five are stored in turns
// Source: Halide (Ragan-Kelley et al., PLDI 2013), section 4.3, which tests for the first iteration instead.
#pragma once

#include <optional>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

struct SlidingWindow {
  Box needed;    // by an iteration of the loop that the Func is computed in
  Box computed;  // there: what no earlier iteration has computed
  Box stored;    // outside: what is needed in all, folded where places can be shared
  bool slides = false;
  Box warm_up = {};      // before the loops slide; without dimensions if there is none
  Expr runs = {};        // that the loops run at all, where that is not known
  std::size_t loop = 0;  // before which the warm-up comes, in the path; nothing if there is none
};

/// `path`: what the place of computation stands in, from the storage on, outermost first. `needed`: there, in
/// terms of the variables on the way. `may_slide`: elements are computed one by one, in any order.
/// Throws ScheduleError, which starts with `call`, if a fold_storage() is too small.
SlidingWindow sliding_window(const schedule::ScheduledFunction& function, const std::vector<ir::Stmt>& path,
                             const Box& needed, bool may_slide);

}  // namespace tensordsl::lower
