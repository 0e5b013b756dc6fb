// Chooses schedules of a graph by the device's model, or by trials.
#pragma once

#include <string>

#include "graph/compile_graph.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::tune {

/// `profile`: of the device that `compile` aims at.
Program autoschedule(definitions::DefinitionGraph graph, const graph::CompileOptions& compile,
                     const HwProfile& profile, const AutoscheduleOptions& options,
                     AutoscheduleReport& report);

}  // namespace tensordsl::tune
