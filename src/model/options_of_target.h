#pragma once

#include "graph/compile_graph.h"
#include "tensordsl/model.h"

namespace tensordsl {

/// What schedules go by: the profile that was given; else the one that comes with the library for a device of
/// that name; else what follows from the device. Without any of them all figures are unknown.
HwProfile profile_of(const CompileTarget& target);

/// What the graph compiler takes of a target: figures from profile_of().
graph::CompileOptions options_of(const CompileTarget& target);

}  // namespace tensordsl
