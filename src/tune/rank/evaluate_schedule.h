// A schedule of a group -> the prediction for its kernels, without running them.
#pragma once

#include <functional>

#include "predict/device_figures.h"
#include "search/trial.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

/// Lowers the group that `scheduled` makes by the schedule, and asks the model of the device. Refuses
/// schedules that the directives refuse, and those beyond the device's limits.
search::Evaluation evaluate_schedule(
    const std::function<graph::ScheduledGroup(const graph::GroupSchedule&)>& scheduled,
    const graph::GroupSchedule& schedule, const RankingOptions& options,
    const predict::DeviceFigures& device);

}  // namespace tensordsl::tune
