// blur_x stored outside of the loop y, computed inside it, where y needs rows [y - 2, y + 3)   ->
//   before the loop:  rows [-2, 2), which its first iteration needs and each later one finds computed
//   in iteration y:   rows [max(y - 2, y + 2), y + 3), stored in a circular buffer of five rows
// The warm-up before the loop y is in a loop y of one iteration, in which the producers of blur_x are
// computed as in the loop itself. A Func that slides inside another sliding Func computes there the elements
// that either needs.
// Source: Halide (Ragan-Kelley et al., PLDI 2013), section 4.3, which tests for the first iteration instead.
#pragma once

#include <optional>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// A use of a Func: the statements around it, from the storage on, outermost first, and the box that it
/// needs, over the variables of these.
struct WindowUse {
  std::vector<ir::Stmt> path;
  Box needed;
};

struct SlidingWindow {
  Box computed;  // box of an iteration without the elements of earlier ones
  Box stored;    // outside: all that is needed, folded where elements can share storage
  bool slides = false;
  /// For each earlier use, the box that it computes; nothing if the use before it has computed it.
  std::vector<std::optional<Box>> earlier = {};
  std::optional<Box> warm_up = {};  // before the loops slide, where no earlier use has it
  Expr runs = {};                   // the test that the loops run, if that is not known
  std::size_t loop = 0;             // loop of the path before which the warm-up is placed
};

/// Returns the window of a Func. `use`: the location where the Func is computed. `earlier`: its locations in
/// the warm-ups of sliding Funcs that read it. `may_slide`: elements are computed one by one, in any order.
/// Throws ScheduleError, which starts with `call`, if a fold_storage() is too small.
SlidingWindow sliding_window(const schedule::ScheduledFunction& function, const WindowUse& use,
                             const std::vector<WindowUse>& earlier, bool may_slide);

}  // namespace tensordsl::lower
