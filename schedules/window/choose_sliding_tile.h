// Decides whether a contraction and the windows that slide over it are one kernel, and how it is cut.
#pragma once

#include <optional>

#include "definitions/group_form.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::schedules {

/// Returns nothing where two kernels are estimated to be as fast: where the tensor between them stays in the
/// caches of a core, or the rows that two bands need are too much to compute twice; or where a window's rows
/// do not. Needs: a target whose work-groups run on one thread.
std::optional<definitions::SlidingTile> choose_sliding_tile(const definitions::SlidingProblem& problem,
                                                            const Target& target);

}  // namespace tensordsl::schedules
