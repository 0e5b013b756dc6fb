// Checks that every Input is read inside its shape, as far as constants tell.
// Needs: one index per dimension.  Gives: whether guard_input_reads is needed, or an Error naming the Input,
// the dimension and the range: a ScheduleError if the definitions alone stay inside, so that it is a
// Tail::RoundUp that runs over the end, and a DefinitionError otherwise.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// True if what is needed is inside every Input, but what the nests compute is not: they compute whole boxes
/// around what is needed.
bool check_input_reads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                       const std::vector<ir::FunctionPtr>& functions);

/// Where a Tail::RoundUp computes points that nobody needs and constants do not tell, no more of an Input may
/// be read than without it: a ScheduleError if so.
void check_run_over(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                    const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
