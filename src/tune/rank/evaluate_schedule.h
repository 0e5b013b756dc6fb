// A schedule of a group -> what is said of its kernels without running them.
#pragma once

#include "predict/device_figures.h"
#include "search/trial.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

/// Lowers the schedule and asks the model of the device. It refuses what the directives refuse, and what is
/// beyond the device's limits.
search::Evaluation evaluate_schedule(const GroupSource& source, const graph::ChosenSchedule& schedule,
                                     const RankingOptions& options, const predict::DeviceFigures& device);

}  // namespace tensordsl::tune
