// How a sum and the window that slides over it are cut to be one kernel, or whether they are.
#pragma once

#include <cstdint>
#include <optional>

#include "definitions/group_form.h"
#include "schedules/support/target.h"

namespace tensordsl::schedules {

struct SlidingTile {
  int lanes = 1, vectors = 1;  ///< of a work-group's channels
  int pixels = 1;              ///< of the sum, in registers with all of these channels
  int window_lanes = 1, window_vectors = 1, window_pixels = 1;  ///< of the windows, in registers
  int bands = 1;  ///< of rows: work-groups for the same channels

  int channels() const { return lanes * vectors; }
  friend bool operator==(const SlidingTile&, const SlidingTile&) = default;
};

/// Nothing where two kernels are estimated to be as fast: where the tensor between them stays in the caches
/// of a core, or the rows that two bands need are too much to compute twice; or where a window's rows do not.
/// Needs: a target whose work-groups run on one thread.
std::optional<SlidingTile> choose_sliding_tile(const SlidingProblem& problem, const Target& target);

}  // namespace tensordsl::schedules
