// for x in [0, (n + 3)/4*4) { store tile[x] = in[x] }, in: [n]
//   ->  for x in [0, (n + 3)/4*4) { store tile[x] = select(0 <= x && x < n, in[x], 0) }
// Needs: the result of infer_launch_requirements.  Gives: loop nests whose reads stay inside every Input and
// every Func with bound(), wherever the conditions of the launch hold. A schedule may compute unneeded
// points, whose reads neither constants nor those conditions bound: a test around the read does. Reads of
// needed points get no test.
#pragma once

#include <vector>

#include "lower/read/infer_launch_requirements.h"
#include "lower/stages.h"

namespace tensordsl::lower {

PlacedFunctions guard_unneeded_reads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                                     const std::vector<ir::FunctionPtr>& functions,
                                     const LaunchRequirements& requirements);

}  // namespace tensordsl::lower
