#include "tune/pipeline/pipeline_kernels.h"

#include <algorithm>
#include <cmath>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>

#include "graph/schedule/group_key.h"
#include "predict/device_figures.h"
#include "schedules/strategies.h"

namespace tensordsl::tune {

PipelineKernels::PipelineKernels(const std::vector<Func>& outputs,
                                 const std::map<std::string, std::vector<Expr>>& extents,
                                 const RankingOptions& options)
    : options_(options), pipeline_(copy_pipeline(outputs)), boxes_(boxes_of(pipeline_, extents)) {}

bool PipelineKernels::is_output(const Func& func) const {
  return std::ranges::any_of(pipeline_.outputs,
                             [&](const Func& output) { return output.shared() == func.shared(); });
}

double PipelineKernels::launch_us() const { return predict::figures_of(options_.profile).launch_us; }

const KernelChoice& PipelineKernels::choice_of(const Places& places, const Func& root, int most_lowered) {
  std::string key = std::to_string(most_lowered);
  for (const Func& member : members_of(pipeline_, places, root)) {
    key += " " + member.name();
    if (member.shared() != root.shared())
      key += "=" + std::to_string(static_cast<int>(places.at(member.name())));
  }
  const auto known = choices_.find(key);
  if (known != choices_.end()) return known->second;
  return choices_.emplace(key, choose(places, root, most_lowered)).first->second;
}

IsolatedGroup PipelineKernels::isolated(const Places& places, const Func& root) const {
  return isolate(pipeline_, boxes_, places, root);
}

PipelineTask PipelineKernels::task_of(const Places& places, const Func& root) const {
  PipelineTask task{root.name(), source_of(places, root), options_};
  task.ranking.strategies = applicable(task.source.prepared());
  return task;
}

KernelChoice PipelineKernels::choose(const Places& places, const Func& root, int most_lowered) const {
  // A kernel of one element has no loops to schedule.
  if (root.rank() == 0 && root.updates() == 0) return {{}, launch_us()};
  PipelineTask task = task_of(places, root);
  if (task.ranking.strategies.empty()) return {{}, INFINITY};
  task.ranking.most_lowered = most_lowered;
  const Ranking ranking = rank_candidates(task.source, task.ranking);
  KernelChoice choice{{}, INFINITY};
  for (const search::Trial& candidate : ranking.candidates) {
    if (choice.schedules.empty()) choice.us = candidate.predicted.us;
    choice.schedules.push_back(candidate.schedule);
  }
  return choice;
}

GroupSource PipelineKernels::source_of(const Places& places, const Func& root) const {
  const auto prepared = [this, &places, root] { return isolated(places, root).group; };
  return {prepared, [this, prepared](const graph::GroupSchedule& schedule) {
            graph::ScheduledGroup group;
            group.group = prepared();
            group.target = options_.target;
            group.schedule = schedule;
            group.key = graph::group_key(group.group, schedule);
            return group;
          }};
}

std::vector<const schedules::Strategy*> PipelineKernels::applicable(
    const definitions::StoredGroup& group) const {
  std::vector<const schedules::Strategy*> result = schedules::strategies_for(group);
  std::erase_if(result, [&](const schedules::Strategy* strategy) {
    return !strategy->applies(group, options_.target);
  });
  return result;
}

}  // namespace tensordsl::tune
