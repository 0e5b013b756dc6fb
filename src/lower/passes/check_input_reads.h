// Checks that a nest reads every Input inside its shape, as far as constants tell; where a Tail::RoundUp
// computes points that nobody needs and constants do not tell, that no more is read than without it.
// Needs: one index per dimension.  Gives: nothing, or an Error naming the Input, the dimension and the range:
// a ScheduleError if the definitions alone stay inside, so that it is a Tail::RoundUp that runs over the end,
// and a DefinitionError otherwise.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

void check_input_reads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                       const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
