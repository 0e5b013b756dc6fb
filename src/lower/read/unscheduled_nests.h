// The loops of a pipeline's definitions, without their schedules.
#pragma once

#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// The bound() directives that are kept.
enum class BoundsKept { OfOutput, All };

/// Places every Producer at the root, with one serial loop for each variable and no directives but bound().
PlacedFunctions place_unscheduled(const std::vector<Producer>& producers, BoundsKept kept);

}  // namespace tensordsl::lower
