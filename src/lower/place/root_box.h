// in [0, 8) of out:  out(x) = f(x) + f(x + 1)   ->   f: [0, 9)
// Needs: the nests of all readers of the Func.  Gives: the box of it that is computed at the root.
#pragma once

#include <optional>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Returns all of an output.
Box output_box(const schedule::ScheduledFunction& function);

/// Returns the bound() of a Func or, without one, the box that the nests read of it; empty if they read
/// nothing. Throws ScheduleError if they read more than the bound, or a specialization more than its stage.
std::optional<Box> root_box(const schedule::ScheduledFunction& function, const std::vector<RootNest>& nests);

/// Checks the reads that other outputs make of an output as root_box() does. The launch checks reads that are
/// not known here.
void check_output_reads(const schedule::ScheduledFunction& output, const std::vector<RootNest>& nests);

}  // namespace tensordsl::lower
