// A pipeline that its user wrote -> its schedule, chosen by the strategies that models have and by the model
// of the device
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/func.h"
#include "tensordsl/schedule.h"
#include "tune/rank_candidates.h"

namespace tensordsl::tune {

/// Which Funcs are inlined, which have kernels of their own, and which are computed with what reads them:
/// greedily, by the time that is predicted of the whole; then a strategy and a point for each kernel.
/// `extents`: of outputs, by name. `options.strategies` is not used.
Schedule schedule_pipeline(const std::vector<Func>& outputs,
                           const std::map<std::string, std::vector<Expr>>& extents,
                           const RankingOptions& options);

}  // namespace tensordsl::tune
