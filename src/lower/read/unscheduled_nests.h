// The loops of a pipeline's definitions as they are, whatever the schedule makes of them.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Whose bound() counts.
enum class BoundsKept { OfOutput, All };

/// Every Producer at the root, with one serial loop for each variable and no directives but bound().
PlacedFunctions place_unscheduled(const std::vector<Producer>& producers, BoundsKept kept);

}  // namespace tensordsl::lower
