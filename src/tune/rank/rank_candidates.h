// The ways to run a group, best first, by a model of the device: no trial.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "definitions/stored_group.h"
#include "graph/schedule/lower_groups.h"
#include "predict/prune.h"
#include "search/trial.h"
#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::tune {

/// Counts the configurations of a strategy by what happened to them.
struct StrategySpace {
  std::string strategy;
  std::int64_t points = 0;
  predict::PruningCounts on_points;   ///< counts of the pruning by expressions of the knobs; zeros if the
                                      ///< strategy has no such expressions
  std::int64_t unfit = 0;             ///< configurations that do not fit the extents
  predict::PruningCounts on_kernels;  ///< counts of the pruning of lowered configurations
  std::int64_t refused = 0;  ///< configurations refused by the directives, or beyond the device's limits
};

struct Ranking {
  graph::GroupSchedule first;             ///< the untuned default: RankingOptions::compiled
  std::vector<search::Trial> candidates;  ///< candidates with their predictions, the best first
  predict::PruningOptions pruning;        ///< the criteria that have counted
  std::vector<StrategySpace> spaces;
  std::vector<search::Trial> left_out;  ///< lowered configurations that were refused, by their refusals

  bool is_first(const search::Trial& trial) const {
    return trial.schedule.strategy == first.strategy && trial.schedule.point == first.point;
  }
};

struct RankingOptions {
  Target target;
  std::optional<DeviceInfo> device;
  HwProfile profile;
  predict::PruningOptions pruning;
  /// The strategies to choose among, the first to take first; empty: all of schedules::strategies().
  std::vector<const schedules::Strategy*> strategies{};
  /// The schedule that compile takes without a trial; empty: the first strategy that applies, at its first
  /// point.
  std::optional<graph::GroupSchedule> compiled{};
  int most_lowered = 12;  ///< configurations of a strategy, the best by its own estimate
  int threads = 0;        ///< 0: one for each core
};

/// Makes a new copy of a group for each schedule, because schedules are written into Funcs.
struct GroupSource {
  std::function<definitions::StoredGroup()> prepared;
  std::function<graph::ScheduledGroup(const graph::GroupSchedule&)> scheduled;
};

/// Ranks candidates; the result depends only on the group, profile and limits. The default stays first if no
/// other is better by more than the model's error. If the criteria leave no schedule of any strategy, they
/// cannot distinguish any: those that remove most are ignored then.
Ranking rank_candidates(const GroupSource& source, const RankingOptions& options);

}  // namespace tensordsl::tune
