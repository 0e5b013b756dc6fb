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

/// Trials of a pipeline's kernels: by the name of the task, what was fastest.
using TryTasks = std::function<std::map<std::string, graph::GroupSchedule>(const std::vector<PipelineTask>&)>;

struct PipelineHooks {
  /// Asked once places are chosen; what it says of a kernel comes before what the model says. Null: nobody
  /// is.
  TryTasks try_tasks = nullptr;
  /// True: no better places are looked for. Null: they are.
  std::function<bool()> should_stop = nullptr;
};

/// Which Funcs are inlined, which have kernels of their own, and which are computed with what reads them:
/// greedily, by the time that is predicted of the whole; then a strategy and a point for each kernel.
/// `extents`: of outputs, by name. `options.strategies` is not used.
Schedule schedule_pipeline(const std::vector<Func>& outputs,
                           const std::map<std::string, std::vector<Expr>>& extents,
                           const RankingOptions& options, const PipelineHooks& hooks = {});

}  // namespace tensordsl::tune
