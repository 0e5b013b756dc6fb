// Group of the plan -> group with Funcs, layouts, a strategy and a point of its own
#pragma once

#include "graph/choose_images.h"
#include "graph/define_group.h"
#include "graph/planned_graph.h"

namespace tensordsl {

/// With Funcs of its own, the layouts that were planned, dimensions merged and movements staged: what
/// strategies look at. `place`: of the group in plan.groups.
Group prepared_group(const PlannedGraph& plan, const TensorFuncs& funcs, std::size_t place,
                     Precision precision, const Target& target);

/// What a schedule of that group is for: `target`, with the work-items that its kernels may have.
Target target_of_group(const PlannedGraph& plan, std::size_t place, const Target& target);

/// That group by the given schedule.
ScheduledGroup scheduled_group(const PlannedGraph& plan, std::size_t place, Group group, const Target& target,
                               const ChosenSchedule& schedule, const ImageUse& images);

/// The passes over one group.
ScheduledGroup schedule_group(const PlannedGraph& plan, const TensorFuncs& funcs, std::size_t place,
                              const ImageUse& images, const CompileOptions& options);

}  // namespace tensordsl
