// Checks that every Input is read inside its shape, as far as constants determine it.
// Needs: one index per dimension.  Gives: whether guard_input_reads is needed, or an Error naming the Input,
// the dimension and the range: a ScheduleError if the definitions stay inside, so that a Tail::RoundUp runs
// over the end, and a DefinitionError otherwise.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Returns true if the needed elements are inside every Input, but the nests compute more: whole boxes around
/// the needed elements.
bool check_input_reads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                       const std::vector<ir::FunctionPtr>& functions);

/// Checks reads of Inputs of symbolic size. Throws ScheduleError if a Tail::RoundUp reads more of one than
/// the definitions need.
void check_run_over(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                    const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
