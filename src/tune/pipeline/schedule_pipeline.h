// A pipeline that its user wrote -> its schedule, chosen by the strategies that models have and by the model
// of the device
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tensordsl/func.h"
#include "tensordsl/schedule.h"
#include "tune/pipeline/pipeline_kernels.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

/// Tries a pipeline's kernels and returns the fastest schedules, by the names of the tasks.
using TryTasks = std::function<std::map<std::string, graph::GroupSchedule>(const std::vector<PipelineTask>&)>;

struct PipelineHooks {
  /// Times kernels after the choice of the Funcs that are inlined, stored or computed with their readers; its
  /// schedules replace the cost model's. Null: nothing is timed.
  TryTasks try_tasks = nullptr;
  /// Returns true to end the search for placements early. Null: the search runs to its end.
  std::function<bool()> should_stop = nullptr;
};

/// Chooses the Funcs that are inlined, that have kernels of their own, and that are computed with their
/// readers: greedily, by the predicted time of the whole. Then chooses a strategy and a configuration for
/// each kernel. `extents`: of outputs, by name. `options.strategies` is not used.
Schedule schedule_pipeline(const std::vector<Func>& outputs,
                           const std::map<std::string, std::vector<Expr>>& extents,
                           const RankingOptions& options, const PipelineHooks& hooks = {});

}  // namespace tensordsl::tune
