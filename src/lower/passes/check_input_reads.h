// Checks that a nest reads every Input inside its shape, as far as constants tell.
// Needs: one index per dimension.  Gives: nothing, or DefinitionError naming the Input, the dimension and the range.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

void check_input_reads(const RootNest& nest, const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower
