// blur_x stored outside of the loop y, computed inside it, where y needs rows [y - 2, y + 3)   ->
//   before the loop:  rows [-2, 2), what its first iteration needs and each later one finds there
//   in iteration y:   rows [max(y - 2, y + 2), y + 3), of which five are stored in turns
// What comes before the loop y stands in a loop y of one iteration: what blur_x reads is computed there too,
// as in the loop itself. A Func that slides under one that slides computes there all that either needs.
// Source: Halide (Ragan-Kelley et al., PLDI 2013), section 4.3, which tests for the first iteration instead.
#pragma once

#include <optional>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// A place that needs a Func: what it stands in, from the storage on, outermost first, and what it needs in
/// terms of the variables on the way.
struct WindowUse {
  std::vector<ir::Stmt> path;
  Box needed;
};

struct SlidingWindow {
  Box computed;  // in an iteration: what no earlier one has computed
  Box stored;    // outside: what is needed in all, folded where places can be shared
  bool slides = false;
  /// For each earlier use what is computed there; nothing where the one before it has it.
  std::vector<std::optional<Box>> earlier = {};
  std::optional<Box> warm_up = {};  // before the loops slide, where no earlier use has it
  Expr runs = {};                   // that the loops run at all, where that is not known
  std::size_t loop = 0;             // of the path, before which the warm-up comes
};

/// `use`: where the Func is computed. `earlier`: in the warm-ups of those that slide and read it.
/// `may_slide`: elements are computed one by one, in any order.
/// Throws ScheduleError, which starts with `call`, if a fold_storage() is too small.
SlidingWindow sliding_window(const schedule::ScheduledFunction& function, const WindowUse& use,
                             const std::vector<WindowUse>& earlier, bool may_slide);

}  // namespace tensordsl::lower
